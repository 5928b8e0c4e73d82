# SPDX-License-Identifier: GPL-2.0
"""client.py HOST PORT WSDL-FOLDER: python-onvif-zeep asks a camera, as Home Assistant and Frigate do."""
import sys

import requests
from onvif import ONVIFCamera
from onvif.exceptions import ONVIFError

HOST, PORT, WSDL = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def step(name, run):
    try:
        print("ok" if run() else "bad", name)
    except Exception as error:  # pylint: disable=broad-except
        print("bad", f"{name}: {type(error).__name__}: {str(error)[:300]}")


def camera(password="password"):
    made = ONVIFCamera(HOST, PORT, "admin", password, WSDL)
    # The device names itself by the address it has; the way to it leads through the gateway.
    made.xaddrs = {name: url.replace(url.split("/")[2], f"{HOST}:{PORT}") for name, url in made.xaddrs.items()}
    return made


def wrong_password():
    try:
        camera("wrong").create_devicemgmt_service().GetDeviceInformation()
    except (ONVIFError, requests.RequestException):
        return True
    return False


MADE = []
step("connect", lambda: MADE.append(camera()) or True)
if MADE:
    CAMERA = MADE[0]
    DEVICE = CAMERA.create_devicemgmt_service()
    step("information", lambda: DEVICE.GetDeviceInformation().Manufacturer == "Example Corp")
    step("time", lambda: DEVICE.GetSystemDateAndTime().UTCDateTime.Date.Year > 2000)
    step("capabilities", lambda: DEVICE.GetCapabilities({"Category": "All"}).Media.XAddr)
    step("hostname", lambda: DEVICE.GetHostname().Name)
    step("scopes", lambda: len(DEVICE.GetScopes()) > 0)
    step("services", lambda: len(DEVICE.GetServices({"IncludeCapability": False})) > 1)
    MEDIA = CAMERA.create_media_service()
    step("profiles", lambda: MEDIA.GetProfiles()[0].token)
    step("stream", lambda: MEDIA.GetStreamUri({
        "StreamSetup": {"Stream": "RTP-Unicast", "Transport": {"Protocol": "RTSP"}},
        "ProfileToken": MEDIA.GetProfiles()[0].token}).Uri.startswith("rtsp://"))
    step("wrong-password", wrong_password)
