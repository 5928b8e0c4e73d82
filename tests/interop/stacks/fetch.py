# SPDX-License-Identifier: GPL-2.0
"""fetch.py URL FILE CATALOG: a service's WSDL as it gives it, with what it imports by http, unchanged.

What is imported goes to files beside FILE; CATALOG (OASIS XML Catalogs) says which URL is which file.
"""
import os
import re
import sys
import urllib.parse
import urllib.request

url, path, catalog = sys.argv[1:]
known = {url: path}
todo = [url]
while todo:
    at = todo.pop()
    with urllib.request.urlopen(at, timeout=20) as answer:
        text = answer.read()
    with open(known[at], "wb") as out:
        out.write(text)
    for place in re.findall(rb'(?:schemaLocation|<(?:\w+:)?import[^>]*\slocation)\s*=\s*["\']([^"\']+)', text):
        there = urllib.parse.urljoin(at, place.decode().replace("&amp;", "&"))
        if there not in known:
            known[there] = f"{os.path.splitext(path)[0]}.{len(known)}.xsd"
            todo.append(there)
with open(catalog, "w", encoding="utf-8") as out:
    out.write('<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">\n')
    for name, file in known.items():
        name = name.replace("&", "&amp;")
        out.write(f'  <uri name="{name}" uri="{os.path.basename(file)}"/>\n  <system systemId="{name}" uri="{os.path.basename(file)}"/>\n')
    out.write("</catalog>\n")
