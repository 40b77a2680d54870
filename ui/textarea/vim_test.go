package textarea

import (
	"regexp"
	"strings"
	"testing"
)

// press types keys: characters, and names in angle brackets.
func press(v *Vim, keys string) {
	for keys != "" {
		if keys[0] == '<' {
			if i := strings.IndexByte(keys, '>'); i > 1 {
				v.enter(keys[1:i])
				keys = keys[i+1:]
				continue
			}
		}
		n := next(keys)
		v.enter(keys[:n])
		keys = keys[n:]
	}
}

// enter handles a key as the screen does: vim first, then the composer.
func (v *Vim) enter(key string) {
	switch {
	case v.Key(key) || v.Mode() != Insert:
	case key == "enter":
		v.c.Newline()
	case key == "space":
		v.c.Insert(" ")
	default:
		v.c.Insert(key)
	}
}

func TestVimKeys(t *testing.T) {
	for _, c := range []struct{ before, keys, after string }{
		// Modes.
		{"ab|", "<esc>", "a|b"}, {"|", "<esc>", "|"}, {"a\n|", "<esc>", "a\n|"}, {"a|b", "<esc>ix", "x|ab"}, {"a|bc", "<esc>ax", "ax|bc"},
		{"  a|b", "<esc>Ix", "  x|ab"}, {"a|b", "<esc>Ax", "abx|"}, {"a|b\nc", "<esc>ox", "ab\nx|\nc"}, {"a|b\nc", "<esc>Ox", "x|\nab\nc"},
		// Motions.
		{"|one two.three  x", "<esc>w", "one |two.three  x"}, {"|one two.three  x", "<esc>ww", "one two|.three  x"},
		{"|one two.three  x", "<esc>3w", "one two.|three  x"}, {"|one two.three  x", "<esc>2W", "one two.three  |x"},
		{"|one two.three", "<esc>e", "on|e two.three"}, {"|one two.three", "<esc>2e", "one tw|o.three"}, {"|one two.three", "<esc>2E", "one two.thre|e"},
		{"one two.three|", "<esc>b", "one two.|three"}, {"one two.three|", "<esc>2b", "one two|.three"}, {"one two.three|", "<esc>B", "one |two.three"},
		{"one two|", "<esc>ge", "on|e two"}, {"a|\n\nb", "<esc>w", "a\n|\nb"}, {"a|\n\nb", "<esc>ww", "a\n\n|b"}, {"a\n\n|b", "<esc>b", "a\n|\nb"},
		{"  ab|c", "<esc>0", "|  abc"}, {"  ab|c", "<esc>^", "  |abc"}, {"|abc\nd", "<esc>$", "ab|c\nd"}, {"|abc\nde", "<esc>2$", "abc\nd|e"},
		{"a\nb\n|c", "<esc>gg", "|a\nb\nc"}, {"|a\nb\nc", "<esc>G", "a\nb\n|c"}, {"|a\n  b\nc", "<esc>2G", "a\n  |b\nc"},
		{"|abcabc", "<esc>fc", "ab|cabc"}, {"|abcabc", "<esc>2fc", "abcab|c"}, {"|abcabc", "<esc>tc", "a|bcabc"}, {"|abcabc", "<esc>tc;", "abca|bc"},
		{"|abcabc", "<esc>fc;", "abcab|c"}, {"|abcabc", "<esc>fc;,", "ab|cabc"}, {"abcabc|", "<esc>Fa", "abc|abc"}, {"abcabc|", "<esc>Ta", "abca|bc"},
		{"|abc", "<esc>fx", "|abc"}, {"a |(b [c]) d", "<esc>%", "a (b [c]|) d"}, {"|x (b\nc) d", "<esc>%", "x (b\nc|) d"},
		{"ab|c\nx", "<esc>j", "abc\n|x"}, {"|a\nb\n\nc\nd", "<esc>}", "a\nb\n|\nc\nd"}, {"a\n\nb\n|c", "<esc>{", "a\n|\nb\nc"},
		{"a|bcd", "<esc>l", "a|bcd"}, {"|abcd", "<esc>9l", "abc|d"}, {"ab|cd", "<esc>5h", "|abcd"}, {"|漢字 é", "<esc>w", "漢字 |é"},
		// Operators.
		{"|one two three", "<esc>dw", "|two three"}, {"|one two three", "<esc>d2w", "|three"}, {"|one two three", "<esc>2dw", "|three"},
		{"one t|wo\nthree", "<esc>dw", "one| \nthree"}, {"one t|wo\nthree", "<esc>dw", "one| \nthree"}, {"|one two", "<esc>de", "| two"},
		{"|one two", "<esc>cwx<esc>", "|x two"}, {"|one two", "<esc>cex", "x| two"}, {"a| b", "<esc>cwx", "x| b"}, {"|one two three", "<esc>c2wx", "x| three"},
		{"one tw|o", "<esc>db", "one |wo"}, {"one |two", "<esc>d0", "| two"}, {"|one two", "<esc>d$", "|"}, {"o|ne two", "<esc>lD", "|o"},
		{"|one two", "<esc>wCx", "one x|"}, {"a|b\ncd\nef", "<esc>dd", "|cd\nef"}, {"a\nb|\nc", "<esc>2dd", "|a"}, {"|a\nb\nc", "<esc>3dd", "|"},
		{"a\n|b", "<esc>dd", "|a"}, {"|a\nb\nc", "<esc>dj", "|c"}, {"a\nb\n|c", "<esc>dk", "|a"}, {"a\n|b\nc\nd", "<esc>dG", "|a"}, {"a\nb\n|c", "<esc>dgg", "|"},
		{"a|b\ncd", "<esc>ccx", "x|\ncd"}, {"a|b\ncd", "<esc>Sx", "x|\ncd"}, {"|abcd", "<esc>x", "|bcd"}, {"|abcd", "<esc>3x", "|d"}, {"abc|d", "<esc>X", "a|cd"},
		{"|abcd", "<esc>2sx", "x|cd"}, {"|abc", "<esc>rx", "|xbc"}, {"|abc", "<esc>2rx", "x|xc"}, {"|abc", "<esc>9rx", "|abc"}, {"|a c", "<esc>lr<enter>", "a\n|c"},
		{"|abcabc", "<esc>dfc", "|abc"}, {"|abcabc", "<esc>dtc", "|cabc"}, {"abcabc|", "<esc>dFa", "abc|c"}, {"|a (b) c", "<esc>f(d%", "a | c"},
		{"|ab\ncd", "<esc>J", "ab| cd"}, {"|a\n  b\nc", "<esc>3J", "a b| c"}, {"|aBc", "<esc>3~", "Ab|C"}, {"|a\nb", "<esc>>>", "  |a\nb"}, {"    |a", "<esc><<", "  |a"},
		// Yank and put.
		{"|ab cd", "<esc>ywP", "ab| ab cd"}, {"|ab", "<esc>ylp", "a|ab"}, {"a|\nb", "<esc>yyp", "a\n|a\nb"}, {"a|\nb", "<esc>yyjP", "a\n|a\nb"}, {"|a\nb", "<esc>Y2p", "a\n|a\na\nb"},
		{"|a\nb", "<esc>ddp", "b\n|a"}, {"|ab", "<esc>xp", "b|a"}, {"|ab", "<esc>x3p", "baa|a"}, {"|a\nb", "<esc>yjGp", "a\nb\n|a\nb"},
		// Objects.
		{"one tw|o three", "<esc>diw", "one | three"}, {"one tw|o three", "<esc>daw", "one |three"}, {"one tw|o", "<esc>daw", "on|e"}, {"a tw|o.x b", "<esc>diW", "a | b"},
		{`x "a |b" y`, `<esc>di"`, `x "|" y`}, {`x "a |b" y`, `<esc>da"`, `x |y`}, {`|x "a b" y`, `<esc>ci"z`, `x "z|" y`}, {`x "a\"|b"`, `<esc>di"`, `x "|"`},
		{"f(a, |b(c))", "<esc>di(", "f(|)"}, {"f(a, b(|c))", "<esc>di(", "f(a, b(|))"}, {"f(a|)", "<esc>da)", "|f"}, {"f[a|]", "<esc>ci[x", "f[x|]"}, {"{\na|\n}", "<esc>diB", "{|}"},
		{"|x", "<esc>di(", "|x"}, {"a\nb|\n\nc", "<esc>dip", "|\nc"}, {"a\nb|\n\nc", "<esc>dap", "|c"},
		// Undo, redo, dot.
		{"|one two", "<esc>dwu", "|one two"}, {"|one two", "<esc>dwu<ctrl+r>", "|two"}, {"|one two", "<esc>cwab cd<esc>u", "|one two"}, {"|", "<esc>iab cd<esc>uaz", "z|"},
		{"|a b c d", "<esc>dw.", "|c d"}, {"|a b c d", "<esc>dw2.", "|d"}, {"|a b c", "<esc>cwxy<esc>w.", "xy x|y c"}, {"|a\nb\nc", "<esc>ddu.", "|b\nc"}, {"|ab", "<esc>Ax<esc>.", "abx|x"},
		{"|abc", "<esc>x..", "|"}, {"|a", "<esc>ob<esc>.", "a\nb\n|b"}, {"|aa", "<esc>rxl.", "x|x"},
		// Visual.
		{"|abcd", "<esc>vld", "|cd"}, {"|abcd", "<esc>vlcx", "x|cd"}, {"a b|c d", "<esc>viwd", "a | d"}, {"|ab cd", "<esc>veyP", "a|bab cd"},
		{"a|\nb\nc", "<esc>Vjd", "|c"}, {"|abc", "<esc>vlU", "|ABc"}, {"|abc", "<esc>vlrx", "|xxc"}, {"|abc", "<esc>vl~", "|ABc"}, {"|abc", "<esc>v<esc>x", "|bc"}, {"|abc", "<esc>vvx", "|bc"},
		{"|ab cd", "<esc>yiwwviwp", "ab |ab"}, {"|abcd", "<esc>lvlod", "a|d"}, {"a|\nb\nc", "<esc>VjJ", "a| b\nc"}, {"|a\nb", "<esc>Vj>", "  |a\n  b"}, {"a b|c", `<esc>vhd`, "a|c"},
		{"a\nb|\nc", "<esc>VGd", "|a"}, {"|abc", "<esc>v$d", "|"}, {"x (a |b) y", "<esc>vi(d", "x (|) y"},
		{"|", "<esc>cwx", "x|"}, {"|", "<esc>ciwx", "x|"}, {"|a", "<esc>cbxx", "|"}, {"|\na", "<esc>yyjp", "\na\n|"}, {"|a (b) c", "<esc>di(", "a (|) c"},
		// What is not a command.
		{"|abc", "<esc>dzx", "|bc"}, {"|abc", "<esc>2<esc>x", "|bc"}, {"|abc", "<esc>d<esc>x", "|bc"}, {"|abc", "<esc>g?x", "|bc"}, {"|abc", "<esc>qZx", "|bc"},
	} {
		v := NewVim(at(c.before))
		press(v, c.keys)
		if got := text(v.c); got != c.after {
			t.Errorf("%q, keys %s: %q, want %q", c.before, c.keys, got, c.after)
		}
	}
}

func TestVimTakesOnlyItsKeys(t *testing.T) {
	v := NewVim(at("abc|"))
	for _, c := range []struct {
		key  string
		mine bool
		mode Mode
	}{
		{"a", false, Insert}, {"enter", false, Insert}, {"esc", true, Normal}, {"esc", false, Normal}, {"enter", false, Normal},
		{"ctrl+c", false, Normal}, {"d", true, Normal}, {"esc", true, Normal}, {"v", true, Visual}, {"V", true, VisualLine}, {"esc", true, Normal},
		{"f", true, Normal}, {"ctrl+x", false, Normal}, {"i", true, Insert}, {"ctrl+[", true, Normal},
	} {
		if mine := v.Key(c.key); mine != c.mine || v.Mode() != c.mode {
			t.Errorf("%s: mine %v, mode %v", c.key, mine, v.Mode())
		}
	}
	v.Key("2")
	v.Key("d")
	if v.Pending() != "2d" {
		t.Errorf("pending %q", v.Pending())
	}
	if v.Reset(); v.Mode() != Insert || v.Pending() != "" {
		t.Error("not as new")
	}
}

func TestWhatIsSelectedIsShown(t *testing.T) {
	c := at("ab |cd\nef")
	c.SetLooks(Looks{Selected: func(s string) string { return "<" + s + ">" }})
	v := NewVim(c)
	press(v, "<esc>lvl")
	if got := c.View().Rows[0]; got != "ab <c><d>" {
		t.Errorf("%q", got)
	}
	press(v, "<esc>")
	if got := c.View().Rows[0]; got != "ab cd" {
		t.Errorf("%q", got)
	}
}

func TestVimKeepsChipsWhole(t *testing.T) {
	c := New(Looks{})
	c.Insert("a ")
	c.Paste(strings.Repeat("x\n", chipLines+1))
	c.Insert(" b")
	v := NewVim(c)
	press(v, "<esc>0wyiwP")
	if n := len(c.Chips()); n != 2 {
		t.Errorf("%d chips", n)
	}
	press(v, "0w~rzu")
	if n := len(c.Chips()); n != 2 {
		t.Errorf("%d chips", n)
	}
}

// Big counts have a test of their own: several of them make texts that take long.
var bigCount = regexp.MustCompile(`[0-9]{3}`)

func TestBigCounts(t *testing.T) {
	v := NewVim(at("|ab cd"))
	press(v, "<esc>yw9999p9999w9999b99999x")
	if n := len(v.c.Value()); n > maxPut {
		t.Errorf("%d bytes", n)
	}
}

// FuzzVim types keys: the cursor stays between characters, and undo returns to the start.
func FuzzVim(f *testing.F) {
	for _, s := range []string{"dwdw", "2dwiabc<esc>u.", "Vjd..uu", "vipc漢<esc>", "ggVGd", "a(b)<esc>di(ux", "qf;,r<enter>", "d3j", "9999x", "yyp.u<ctrl+r>"} {
		f.Add("one two\n\n(three \"four\") 漢字 é\n", s)
	}
	f.Fuzz(func(t *testing.T, before, keys string) {
		if len(keys) > 40 || bigCount.MatchString(keys) || len(before) > 500 {
			return
		}
		c := New(Looks{})
		c.doc = newDocument(clean(before))
		was := c.Value()
		v := NewVim(c)
		press(v, "<esc>")
		press(v, keys)
		d := c.doc
		if d.at.line < 0 || d.at.line >= len(d.lines) || d.at.off < 0 || d.at.off > len(d.lines[d.at.line].text) ||
			boundary(d.lines[d.at.line].text, d.at.off) != d.at.off {
			t.Fatalf("cursor at %v", d.at)
		}
		c.View()
		press(v, "<esc><esc>")
		if len(d.past.done) >= maxUndo {
			return
		}
		for c.Undo() {
		}
		if got := c.Value(); got != was {
			t.Fatalf("undone to %q, was %q", got, was)
		}
	})
}
