#!/bin/sh
# Checks the documents of _omp/memory/: UTF-8, conflict markers, tabs, syntax, duplicate keys, and,
# where omp-tui is installed, their schemas. Prints file:line:column: message.
#
#   validate.sh [FILE...]     every document when no file is named
#
# Exit code: 0 nothing wrong, 1 something is, 2 wrong use. As a git hook:
#
#   ln -s ../../_omp/skills/memory-extraction/scripts/validate.sh .git/hooks/pre-commit

set -u

script=$0
while [ -h "$script" ]; do
    target=$(readlink "$script")
    case $target in
        /*) script=$target ;;
        *) script=$(dirname "$script")/$target ;;
    esac
done
memory=$(cd "$(dirname "$script")/../../../memory" 2>/dev/null && pwd) || {
    echo "validate.sh: there is no _omp/memory above $script" >&2
    exit 2
}
workspace=$(dirname "$(dirname "$memory")")

for file in "$@"; do
    if [ ! -f "$file" ]; then
        echo "validate.sh: $file: no such file" >&2
        exit 2
    fi
done

if command -v omp-tui >/dev/null 2>&1; then
    exec omp-tui validate --workspace "$workspace" "$@"
fi

if [ "$#" -eq 0 ]; then
    set --
    for file in "$memory"/*.yaml "$memory"/*.yml "$memory"/sessions/*.yaml \
        "$memory"/themes/*.yaml "$memory"/handoffs/*.yaml; do
        if [ -f "$file" ]; then set -- "$@" "$file"; fi
    done
fi

if command -v python3 >/dev/null 2>&1; then
    exec python3 - "$@" <<'PYTHON'
import re
import sys


def text_problems(text):
    conflict = re.search(r"^<{7}(?: |\r?$)", text, re.M)
    if conflict and re.search(r"^>{7}(?: |\r?$)", text[conflict.end():], re.M):
        line = text.count("\n", 0, conflict.start()) + 1
        yield line, 1, "a merge conflict of git is not settled"


def syntax_check():
    """Return a function that yields problems, or None without a YAML library."""
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError

        def load(text):
            YAML(typ="safe", pure=True).load(text)

    except ImportError:
        try:
            import yaml
        except ImportError:
            return None
        from yaml import MarkedYAMLError, YAMLError
        from yaml.constructor import ConstructorError

        class Loader(yaml.SafeLoader):
            def construct_mapping(self, node, deep=False):
                seen = set()
                for key, _ in node.value:
                    if key.tag != "tag:yaml.org,2002:merge" and isinstance(key.value, str):
                        if key.value in seen:
                            raise ConstructorError(
                                None, None, "the key %r is there twice" % key.value, key.start_mark
                            )
                        seen.add(key.value)
                return super().construct_mapping(node, deep)

        def load(text):
            yaml.load(text, Loader)

    def check(text):
        try:
            load(text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            reason = (error.problem or str(error)).split("\n")[0]
            place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            yield place[0], place[1], reason
        except (YAMLError, ValueError) as error:
            yield 1, 1, str(error).split("\n")[0]

    return check


def minimal_check(text):
    for number, line in enumerate(text.split("\n"), 1):
        indentation = line[: len(line) - len(line.lstrip())]
        if "\t" in indentation and line.strip():
            yield number, 1, "a tab is used where YAML wants spaces"


check = syntax_check()
if check is None:
    sys.stderr.write("validate.sh: no omp-tui and no YAML library: syntax is not checked\n")
    check = minimal_check
wrong = False
for name in sys.argv[1:]:
    with open(name, "rb") as stream:
        raw = stream.read()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = [(raw.count(b"\n", 0, error.start) + 1, 1, "it is not UTF-8")]
    else:
        found = list(text_problems(text)) or list(check(text))
    for line, column, message in found:
        wrong = True
        print("%s:%d:%d: %s" % (name, line, column, message))
sys.exit(1 if wrong else 0)
PYTHON
fi

echo "validate.sh: neither omp-tui nor python3 is installed: only the worst is checked" >&2
status=0
tab=$(printf '\t')
for file in "$@"; do
    for pattern in '^<<<<<<< ' '^>>>>>>> ' "^ *$tab"; do
        found=$(grep -n -m 1 "$pattern" "$file" | cut -d: -f1)
        if [ -n "$found" ]; then
            case $pattern in
                '^<'* | '^>'*) reason='a merge conflict of git is not settled' ;;
                *) reason='a tab is used where YAML wants spaces' ;;
            esac
            echo "$file:$found:1: $reason"
            status=1
            break
        fi
    done
done
exit $status
