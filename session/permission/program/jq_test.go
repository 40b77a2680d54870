package program

import (
	"strings"
	"testing"
)

func TestJqOnlyReads(t *testing.T) {
	for _, filter := range []string{
		`.`, `.a`, `.a.b[0]`, `.[]`, `.[] | .name`, `.dependencies | keys`, `.scripts | to_entries[] | "\(.key): \(.value)"`,
		`map(select(.x > 5))`, `.a // "none"`, `{name, version: .v}`, `{(.k): .v, "a b": 1}`, `.a?`,
		`.["a-b"]`, `."a-b"`, `length`, `[.[] | .id] | sort | unique`, `group_by(.x) | map({k: .[0].x, n: length})`,
		`if .a then 1 elif .b then 2 else 3 end`, `reduce .[] as $x (0; . + $x)`, `.a as $v | .b | select(. == $v)`,
		`to_entries | sort_by(-.value) | .[:5]`, `@csv`, `.[] | [.a, .b] | @tsv`, `first(.[] | select(.a and .b or (.c | not)))`, `.env`,
		`{env: .env, input: 1}`, `.. | strings`, `try error("x") catch .`, `test("^a[^b]\\d")`, `"\u00e9 \n #"`,
		`.a|=.+1`, `del(.a, .b)`, `with_entries(.value |= tostring)`, `limit(3; .[])`, `.a[1:3]`, `.a == null`, `"a\("b\(.c)")"`,
		`paths | join(".")`, `{a: {b: [1, 2]}, c}`, `[.[] as [$a, $b] | $a * $b % 2]`,
	} {
		if !jqOnlyReads(filter) {
			t.Errorf("%q is refused", filter)
		}
	}
	for _, filter := range []string{
		``, `env`, `$ENV`, `env.HOME`, `"\(env)"`, `"\("\(env)")"`, `[env]`, `{a: env}`, `{a: [1, env]}`, `{a: (1, env)}`,
		`{(env | keys[0]): 1}`, `{a: if .x then 1, env else 2 end}`, `. env`, `.a | env`, `input`, `[inputs]`, `debug`, `stderr`,
		`input_filename`, `import "a" as a; .`, `include "a"; .`, `modulemeta`, `$__loc__`, `$__prog_args`, `get_search_list`, `halt`,
		`def f: env; f`, `def f: 1; f`, `-n`, `--arg`, `-1`, `.a # x`, `"`, `"\(`, `"\(.a"`, `.a)`, `(.a`, `]`, `{`, `"\x"`, "\"\n\"",
		`label $f | break $f`, `. as [$a] ?// $b | $a`, `@foo`, `a::b`, `$a::b`, `ltrimstr(env)`, `{"a": 1 | env}`, `input_line_number`,
		`getpath(["a"]) | $ENV.PATH`, `{"x":{a:1}|env}`, `.[env]`, `repeat(1)`, "`", `~`, `&`,
	} {
		if jqOnlyReads(filter) {
			t.Errorf("%q is taken", filter)
		}
	}
}

func FuzzJq(f *testing.F) {
	for _, seed := range []string{`.a`, `{a, b: env}`, `"\(.a)"`, `if . then env else 1 end`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, filter string) {
		if !jqOnlyReads(filter) || strings.ContainsAny(filter, `"{.`) {
			return
		}
		for _, bad := range []string{"$ENV", "#", "`", "::"} {
			if strings.Contains(filter, bad) {
				t.Errorf("%q is taken with %s", filter, bad)
			}
		}
	})
}
