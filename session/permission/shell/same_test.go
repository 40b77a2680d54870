package shell

import "testing"

func TestSame(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"ls", "'ls'", true}, {"ls  -l", "'ls' '-l'", true}, {"ls\t-l", "'ls' '-l'", true},
		{"a 'b c'", `a "b c"`, true}, {"a 'b'c", "a bc", true},
		{"a; b", "a\nb", true}, {"a;b\n", "a\nb", true}, {"a && b || c", "'a' && 'b' || 'c'", true}, {"a | b", "a|b", true},
		{"a >f", "'a' 1>'f'", true}, {"a>f", "'a' 1>'f'", true}, {"a <f", "'a' 0<'f'", true},
		{"a >&2", "'a' 1>&2", true}, {"a 2>&1", "'a' 2>&1", true},
		{"a2>f", "'a2' 1>'f'", true}, {"a ''", "a \"\"", true}, {"a ''b", "a b", true}, {"a '&&' b", "a \"&&\" b", true},
		{"A=1 b", "A='1' 'b'", true}, {"", "", false}, {"ls", "", false}, {"ls", "ls -l", false},
		{"a b", "'a b'", false}, {"ab", "a b", false},
		{"a ''", "a", false}, {"a && b", "a '&&' b", false}, {"a ; b", "a ';' b", false},
		{"a\n\nb", "a\nb", false}, {"a > f", "a '>' f", false},
		{"a >f", "a >>f", false}, {"a 2>f", "a 1>f", false}, {"a '2' >f", "a 2>f", false},
		{"a '2'>f", "a '2' 1>f", false}, {"a 12>f", "a '12' 1>'f'", false},
		{"a 2>&12", "a 2>&1 2", false}, {"a >&2x", "a 1>&2 'x'", false}, {"a 2>&1x", "a 2>&1 'x'",
			false}, {"a 'b''c'", "a 'bc'", false},
		{"a $b", "a $b", false}, {`a "$b"`, `a "$b"`, false}, {"a `b`", "a `b`", false},
		{"a *", "a *", false}, {"a ~", "a ~", false}, {`a \b`, `a \b`, false},
		{"a {b,c}", "a {b,c}", false}, {"! a", "! a", false}, {"a & b", "a & b", false},
		{"(a)", "(a)", false}, {"a #b", "a #b", false}, {"a é", "a 'é'", false},
		{"a =b", "a '=b'", false}, {`a "!b"`, `a '!b'`, false}, {"a 'b", "a 'b", false},
		{`a "b`, `a "b`, false}, {"a <<E", "a <<E", false}, {"a\rb", "a\rb", false},
	} {
		if got := Same(test.a, test.b); got != test.same {
			t.Errorf("Same(%q, %q) is %v", test.a, test.b, got)
		}
		if got := Same(test.b, test.a); got != test.same {
			t.Errorf("Same(%q, %q) is %v", test.b, test.a, got)
		}
	}
}

func TestQuoteIsReadBack(t *testing.T) {
	for _, word := range append(texts, "a'b''c", "a b", "=", "=a", "a=b", "-x", "@{u}", "a,b", "%1", "+", "/a/b.go") {
		if readable("a"+word) != nil {
			continue
		}
		line, err := Read(Bash, "a "+Quote(word)+" b")
		if err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		if words, ok := line.Plain(); !ok || len(words) != 3 || words[1] != word {
			t.Errorf("%q is read back as %q", word, words)
		}
		if Quote(word)[0] != '\'' && !Same("a "+Quote(word), "a '"+word+"'") {
			t.Errorf("%q is not the same in quotes", word)
		}
	}
}
