# SPDX-License-Identifier: GPL-2.0
#
# Compares kernel/netlink/fmp.yaml, the description of the netlink family in the form of the kernel's
# Documentation/netlink/specs, with <linux/fmp.h> and with the policies and commands of kernel/netlink: names, numbers,
# types, bounds, rights. Writes each difference; exit status 1 if there is one, or if the description lacks what all of its
# kind have.

import re
import sys

import yaml

UAPI = 'kernel/include/uapi/linux/fmp.h'
SPEC = 'kernel/netlink/fmp.yaml'
SOURCES = ('kernel/netlink/netlink.c', 'kernel/netlink/netlink_dev.c')
SETS = {'fmp': 'fmp_attr', 'rule': 'fmp_rule_attr', 'dev': 'fmp_dev_attr'}
# What a policy says, as the specification says it.
KINDS = (
    (r'NLA_POLICY_EXACT_LEN\((.*)\)', lambda m, v: {'exact-len': v(m[1])}),
    (r'NLA_POLICY_RANGE\(NLA_U(\d+), (\w+), (\w+)\)', lambda m, v: {'type': 'u' + m[1], 'min': v(m[2]), 'max': v(m[3])}),
    (r'NLA_POLICY_MIN\(NLA_U(\d+), (\w+)\)', lambda m, v: {'type': 'u' + m[1], 'min': v(m[2])}),
    (r'NLA_POLICY_MASK\(NLA_U(\d+), \w+\)', lambda m, v: {'type': 'u' + m[1], 'flags-mask': 'dev-flags'}),
    (r'NLA_POLICY_FULL_RANGE\(NLA_U(\d+), &fmp_timeout_range\)', lambda m, v: {'type': 'u' + m[1], 'max': v('FMP_TIMEOUT_MAX_MS')}),
    (r'NLA_POLICY_NESTED\((\w+)\)', lambda m, v: {'type': 'nest'}),
    (r'\{ \.type = NLA_NUL_STRING, \.len = (\w+) - 1 \}', lambda m, v: {'type': 'string', 'max-len': v(m[1]) - 1}),
    (r'\{ \.type = NLA_U(\d+) \}', lambda m, v: {'type': 'u' + m[1]}),
    (r'\{ \.type = NLA_FLAG \}', lambda m, v: {'type': 'flag'}),
    (r'\{ \.type = NLA_BINARY \}', lambda m, v: {'type': 'pad'}),
)

different = False


def report(text):
    global different
    different = True
    print(f'{SPEC}: {text}')


# What each part of a specification has: for a mistake in it to be told as one.
PARTS = (
    (('definitions',), ('type', 'name')),
    (('attribute-sets',), ('name', 'name-prefix', 'attributes')),
    (('operations', 'list'), ('name', 'value', 'attribute-set')),
)
OF_TYPE = {'enum': ('name-prefix', 'entries'), 'flags': ('name-prefix', 'entries'), 'const': ('value',)}


def check_entry(entry, keys, place):
    if not isinstance(entry, dict):
        report(f'{place}: not a mapping: {entry!r}')
        return
    for key in keys:
        if key not in entry:
            report(f'{place} {entry.get("name", "")}: lacks {key}')


# True if the comparisons below can rely on the keys that they read.
def check_form(spec):
    if not isinstance(spec, dict):
        report('not a mapping')
        return False
    for path, keys in PARTS:
        part, place = spec, '/'.join(path)
        for key in path:
            part = part.get(key) if isinstance(part, dict) else None
        if not isinstance(part, list):
            report(f'{place}: no list')
            continue
        for entry in part:
            check_entry(entry, keys, place)
    if different:
        return False
    if 'name-prefix' not in spec['operations']:
        report('operations: lacks name-prefix')
    for d in spec['definitions']:
        if d['type'] in OF_TYPE:
            check_entry(d, OF_TYPE[d['type']], 'definitions')
        else:
            report(f'definitions {d["name"]}: unknown type {d["type"]}')
    for s in spec['attribute-sets']:
        if s['name'] not in SETS:
            report(f'attribute-sets: unknown set {s["name"]}')
        for a in s['attributes'] or ():
            check_entry(a, ('name', 'type'), s['name'])
    return not different


def read_file(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def same(what, spec, source, place):
    if spec != source:
        report(f'{what}: {spec}, but {source} in {place}')


# The members of an enum, without the private ones, and the first words of the comment of each.
def read_enum(text, name):
    found = re.search(r'/\*\*\n \* enum %s - (.*?)\*/\nenum %s \{(.*?)\};' % (name, name), text, re.S)
    says = dict(re.findall(r' \* @(\w+): (\w+)', found[1]))
    return {member: says.get(member, '') for member in re.findall(r'^\t([A-Z]\w+),', found[2], re.M)}


def c_name(prefix, name):
    return (prefix + name).upper().replace('-', '_')


def compare_enums(spec, uapi):
    for d in spec['definitions']:
        if d['type'] == 'enum':
            same('enum ' + d['name'], [c_name(d['name-prefix'], e) for e in d['entries']],
                 list(read_enum(uapi, 'fmp_' + d['name'].replace('-', '_'))), UAPI)
        elif d['type'] == 'flags':
            for i, e in enumerate(d['entries']):
                found = re.search(c_name(d['name-prefix'], e) + r'\s+(0x[0-9a-f]+)', uapi)
                same('flag ' + e, 1 << i, int(found[1], 16) if found else None, UAPI)
        else:
            same('const ' + d['name'], d['value'], constants(uapi).get(c_name('fmp-', d['name'])), UAPI)


def compare_sets(spec, uapi):
    for s in spec['attribute-sets']:
        members = read_enum(uapi, SETS[s['name']])
        # Number 0 of each set is not used.
        names = list(members)[1:]
        same('set ' + s['name'], [c_name(s['name-prefix'], a['name']) for a in s['attributes']], names, UAPI)
        for a, name in zip(s['attributes'], names):
            word = members[name]
            kind = {'nest': 'nest', 'flag': 'flag', 'string': 'string', 'padding': 'pad'}.get(word)
            kind = kind or (word if re.fullmatch(r'u\d+', word) else None)
            if kind:
                same(f'type of {s["name"]}/{a["name"]}', a['type'], kind, UAPI)


def constants(uapi):
    known = {name: int(value, 0) for name, value in re.findall(r'^#define (FMP_\w+)\s+(\d+)U?L*$', uapi, re.M)}
    known.update({'sizeof(struct in_addr)': 4, 'sizeof(struct in6_addr)': 16, 'FMP_PLEN_MAX': 128})
    for i, name in enumerate(read_enum(uapi, 'fmp_verdict')):
        known[name] = i
    known['FMP_VERDICT_MAX'] = len(read_enum(uapi, 'fmp_verdict')) - 1
    return known


# Table -> attribute -> what its entry says.
def read_policies(code):
    macros = {name: body.replace('\\\n', ' ') for name, body in re.findall(r'#define (FMP_\w+_POLICY)\s*((?:.*\\\n)*.*)\n', code)}
    for name, body in macros.items():
        code = re.sub(r'\t%s\b,?' % name, lambda m, body=body: '\t' + re.sub(r'\s+', ' ', body) + ',', code)
    tables = {}
    for name, body in re.findall(r'struct nla_policy (\w+)\[\w+ \+ 1\] = \{(.*?)\};', code, re.S):
        entries = re.findall(r'\[(\w+)\] = (.*?)(?=,\s*(?:\[|$))', body.strip().rstrip(',') + ',', re.S)
        tables[name] = {attr: re.sub(r'\s+', ' ', what).strip() for attr, what in entries}
    return tables


def policy_says(what, uapi):
    known = constants(uapi)

    def value(text):
        return known[text] if text in known else int(text)

    for pattern, make in KINDS:
        found = re.fullmatch(pattern, what)
        if found:
            return make(found, value)
    return {'unknown': what}


def compare_policies(spec, uapi, tables):
    attributes = {c_name(s['name-prefix'], a['name']): a for s in spec['attribute-sets'] for a in s['attributes']}
    for table, entries in tables.items():
        for name, what in entries.items():
            a = attributes.get(name)
            if a is None:
                report(f'{name}: in {table}, but in no attribute set')
                continue
            says = policy_says(what, uapi)
            given = dict(a.get('checks', {}))
            if 'type' in says:
                given['type'] = a['type']
            # Four bytes of an address are a number of big-endian order to other programs.
            if a.get('byte-order') == 'big-endian':
                given['exact-len'] = 4
            same(f'{name} of {table}', given, says, 'kernel/netlink')


# Does the first function of a command check the sender's right? genl's own check has no text.
def needs_right(code, op):
    function = re.search(r'\.start = (\w+)', op) or re.search(r'\.(?:doit|dumpit) = (\w+)', op)
    body = re.search(r'\n(?:static )?int %s\([^;{]*\)\n\{(.*?)\n\}' % function[1], code, re.S)
    return 'fmp_check_admin(' in body[1]


def compare_operations(spec, uapi, code, tables):
    ops = {cmd: (policy, rest) for cmd, policy, rest in
           re.findall(r'FMP_OP\((FMP_CMD_\w+), (\w+)\),(.*?)\},', code, re.S)}
    commands = list(read_enum(uapi, 'fmp_cmd'))
    prefix = spec['operations']['name-prefix']
    same('commands', [c_name(prefix, o['name']) for o in spec['operations']['list']], commands[1:], UAPI)
    for o in spec['operations']['list']:
        name = c_name(prefix, o['name'])
        if name not in commands:
            continue
        same('number of ' + o['name'], o['value'], commands.index(name), UAPI)
        if 'event' in o:
            continue
        if name not in ops:
            report(f'{o["name"]}: no such operation in kernel/netlink')
            continue
        policy, rest = ops[name]
        kind = 'do' if '.doit' in rest else 'dump'
        same('right of ' + o['name'], 'uns-admin-perm' in o.get('flags', []), needs_right(code, rest), 'kernel/netlink')
        request = o.get(kind, {}).get('request', {}).get('attributes', [])
        same('request of ' + o['name'], [c_name('fmp-a-', a) for a in request], list(tables.get(policy, ())), 'kernel/netlink')
        if ('do' if kind == 'dump' else 'dump') in o:
            report(f'{o["name"]}: is a {kind}')


def main():
    uapi = read_file(UAPI)
    try:
        spec = yaml.safe_load(read_file(SPEC))
    except yaml.YAMLError as error:
        sys.exit(f'{SPEC}: {error}')
    if not check_form(spec):
        sys.exit(1)
    code = ''.join(read_file(path) for path in SOURCES)
    tables = read_policies(code)
    compare_enums(spec, uapi)
    compare_sets(spec, uapi)
    compare_policies(spec, uapi, tables)
    compare_operations(spec, uapi, code, tables)
    sys.exit(different)


if __name__ == '__main__':
    main()
