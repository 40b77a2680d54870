package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// open opens everything.
func open() *Shape {
	sh := &Shape{}
	sh.Elements = sh
	sh.Members = map[string]*Shape{"a": sh, "b": sh, "c": sh}
	return sh
}

func read(t *testing.T, text string) *Document {
	t.Helper()
	d, err := Read([]byte(text), open())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func TestDelete(t *testing.T) {
	for _, tt := range []struct{ in, names, want string }{
		{`{"a":1,"b":2,"c":3}`, "a", `{"b":2,"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "b", `{"a":1,"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "c", `{"a":1,"b":2}`},
		{`{"a":1,"b":2,"c":3}`, "ab", `{"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "bc", `{"a":1}`},
		{`{"a":1,"b":2,"c":3}`, "ac", `{"b":2}`},
		{`{"a":1,"b":2,"c":3}`, "abc", `{}`},
		{`{ "a" : 1 , "b" : 2 , "c" : 3 }`, "b", `{ "a" : 1 , "c" : 3 }`},
		{`{ "a" : 1 , "b" : 2 , "c" : 3 }`, "c", `{ "a" : 1 , "b" : 2 }`},
		{`{ "a" : 1 }`, "a", `{  }`},
		{`{"a":1,"b":2,"a":3}`, "a", `{"b":2}`},
		{`{"\u0061":1,"b":2}`, "a", `{"b":2}`},
		{`{"a":1}`, "x", `{"a":1}`},
	} {
		d := read(t, tt.in)
		for _, name := range tt.names {
			d.DeleteMember(d.Root(), string(name))
		}
		if got := string(d.Bytes()); got != tt.want {
			t.Errorf("%s without %s\n got %s\nwant %s", tt.in, tt.names, got, tt.want)
		}
	}
}

func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		change         func(d *Document)
	}{
		{"replace", `{"a": 1.0 }`, `{"a": "x" }`, func(d *Document) { d.Replace(d.Member(0, "a"), `"x"`) }},
		{"replace twice", `{"a":1}`, `{"a":3}`, func(d *Document) {
			d.Replace(d.Member(0, "a"), `2`)
			d.Replace(d.Member(0, "a"), `3`)
		}},
		{"the last of two counts", `{"a":1,"a":2}`, `{"a":1,"a":3}`, func(d *Document) { d.Replace(d.Member(0, "a"), `3`) }},
		{"replace hides what is within", `{"a":{"b":1}}`, `{"a":7}`, func(d *Document) {
			d.Delete(d.Member(d.Member(0, "a"), "b"))
			d.Replace(d.Member(0, "a"), `7`)
		}},
		{"delete hides what is within", `{"a":{"b":1},"c":2}`, `{"c":2}`, func(d *Document) {
			d.Replace(d.Member(d.Member(0, "a"), "b"), `2`)
			d.Delete(d.Member(0, "a"))
		}},
		{"wrap", `{"a":"x"}`, `{"a":[{"t":"x"}]}`, func(d *Document) {
			d.Wrap(d.Member(0, "a"), `[`, `]`)
			d.Wrap(d.Member(0, "a"), `{"t":`, `}`)
		}},
		{"wrap and replace", `{"a":"x"}`, `{"a":["y"]}`, func(d *Document) {
			d.Wrap(d.Member(0, "a"), `[`, `]`)
			d.Replace(d.Member(0, "a"), `"y"`)
		}},
		{"append", `{"a":[1]}`, `{"a":[1,2,3]}`, func(d *Document) {
			d.Append(d.Member(0, "a"), `2`)
			d.Append(d.Member(0, "a"), `3`)
		}},
		{"append to nothing", `{"a":[ ]}`, `{"a":[ 2]}`, func(d *Document) { d.Append(d.Member(0, "a"), `2`) }},
		{"append and delete the last", `{"a":[1,2 , 3 ]}`, `{"a":[1,9 ]}`, func(d *Document) {
			list := slices.Collect(d.Children(d.Member(0, "a")))
			d.Delete(list[1])
			d.Delete(list[2])
			d.Append(d.Member(0, "a"), `9`)
		}},
		{"append and delete all", `{"a":[1,2]}`, `{"a":[9]}`, func(d *Document) {
			for n := range d.Children(d.Member(0, "a")) {
				d.Delete(n)
			}
			d.Append(d.Member(0, "a"), `9`)
		}},
		{"append a member", `{"a":1}`, `{"a":1,"b":2}`, func(d *Document) { d.AppendMember(0, "b", `2`) }},
		{"insert", `{"a":[1,2]}`, `{"a":[8,9,1,7,2]}`, func(d *Document) {
			list := slices.Collect(d.Children(d.Member(0, "a")))
			d.InsertBefore(list[0], `8`)
			d.InsertBefore(list[1], `7`)
			d.InsertBefore(list[0], `9`)
		}},
		{"insert after a gap", `{"a":[1, 2]}`, `{"a":[7,2]}`, func(d *Document) {
			list := slices.Collect(d.Children(d.Member(0, "a")))
			d.Delete(list[0])
			d.InsertBefore(list[1], `7`)
		}},
		{"the root stays", `{"a":1}`, `{"a":1}`, func(d *Document) { d.Delete(d.Root()) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, tt.in)
			tt.change(d)
			if got := string(d.Bytes()); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestDocumentShowsItsChanges(t *testing.T) {
	d := read(t, `{"a":{"b":"x","c":[1,2]},"b":null,"a\u0000":-1}`)
	a := d.Member(0, "a")
	b, c := d.Member(a, "b"), d.Member(a, "c")
	if d.Parent(b) != a || d.Parent(a) != d.Root() || d.Key(b) != "b" || !d.KeyIs(c, "c") || d.Key(d.Root()) != "" {
		t.Error("the outline is wrong")
	}
	if names := map[string]bool{"b": true, "a\x00": true}; !d.KeyIn(b, names) || d.KeyIn(c, names) || !d.KeyIn(d.Member(0, "a\x00"), names) {
		t.Error("the names are wrong")
	}
	if d.Changed() || d.Deleted(b) {
		t.Error("changed before any change")
	}
	if d.String(b) != "x" || !d.Is(b, "x") || d.Is(c, "x") || d.Kind(c) != '[' || d.String(c) != "" || d.Len(c) != 2 {
		t.Error("the values are wrong")
	}
	if string(d.Raw(c)) != "[1,2]" || d.At(c) != (Span{18, 23}) || d.Raw(None) != nil || d.Kind(None) != 255 || d.Len(None) != 0 {
		t.Errorf("raw %s at %v", d.Raw(c), d.At(c))
	}
	d.Replace(b, `"y"`)
	d.Append(c, `3`)
	d.Delete(d.Member(0, "b"))
	if !d.Changed() || d.Deleted(b) || d.String(b) != "y" || d.Len(c) != 3 || d.Member(0, "b") != None || d.Len(0) != 2 {
		t.Error("the changes do not show")
	}
	d.Replace(c, `[]`)
	if d.Len(c) != 0 || d.Kind(c) != '[' {
		t.Error("a replaced array still has its elements")
	}
}

func TestUnchangedIsTheTextItself(t *testing.T) {
	text := []byte(` {"a": [1] } `)
	d, err := Read(text, open())
	if err != nil {
		t.Fatal(err)
	}
	if out := d.Bytes(); &out[0] != &text[0] || len(out) != len(text) {
		t.Error("the text was copied")
	}
}

func TestTakeCopiesOnlyWhatGrows(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		room     int // behind the text
		over     bool
		change   func(d *Document)
	}{
		{`{"a":1,"b":2}`, `{"b":2}`, 0, true, func(d *Document) { d.Delete(d.Member(0, "a")) }},
		{`{"a":1,"b":2}`, `{"a":9,"b":2}`, 0, true, func(d *Document) { d.Replace(d.Member(0, "a"), "9") }},
		{`{"a":100,"b":2}`, `{"a":1,"b":222}`, 0, true, func(d *Document) { d.Replace(d.Member(0, "a"), "1"); d.Replace(d.Member(0, "b"), "222") }},
		{`{"a":1,"b":200}`, `{"a":100,"b":2}`, 0, false, func(d *Document) { d.Replace(d.Member(0, "a"), "100"); d.Replace(d.Member(0, "b"), "2") }},
		{`{"a":1,"b":200}`, `{"a":100,"b":2}`, 2, true, func(d *Document) { d.Replace(d.Member(0, "a"), "100"); d.Replace(d.Member(0, "b"), "2") }},
		{`{"a":1,"b":2}`, `{"a":100,"b":200}`, 4, true, func(d *Document) { d.Replace(d.Member(0, "a"), "100"); d.Replace(d.Member(0, "b"), "200") }},
		{`{"a":1,"b":2}`, `{"a":100,"b":200}`, 3, false, func(d *Document) { d.Replace(d.Member(0, "a"), "100"); d.Replace(d.Member(0, "b"), "200") }},
		{`{"a":1}`, `{"a":1}`, 0, true, func(*Document) {}},
	} {
		text := append(make([]byte, 0, len(tt.in)+tt.room), tt.in...)
		d, err := Read(text, open())
		if err != nil {
			t.Fatal(err)
		}
		tt.change(d)
		out := d.Take()
		if string(out) != tt.want || (&out[0] == &text[0]) != tt.over {
			t.Errorf("%s became %s, in place: %v", tt.in, out, &out[0] == &text[0])
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]error{``: ErrSyntax, `{`: ErrSyntax, `[1]`: ErrNotObject, `{"a":[1,]}`: ErrSyntax,
		`{"a":[` + strings.Repeat("0,", maxNodes) + `0]}`: errTooMany, `{} {}`: ErrSyntax, `"x"`: ErrNotObject, `"x`: ErrSyntax} {
		if _, err := Read([]byte(text), open()); !errors.Is(err, want) {
			t.Errorf("%.40q: %v, want %v", text, err, want)
		}
	}
}

// model is a decoded copy on which the same changes are made.
type model struct {
	object  bool
	keys    []string
	values  []*model
	literal string
	put     int // elements put before this one
}

// Random changes give what the same changes give on a decoded copy, and between the edits every byte stays.
func FuzzDocument(f *testing.F) {
	for _, s := range scanSeeds {
		f.Add([]byte(s), []byte{0, 1, 2, 3, 4, 5, 6, 7})
	}
	f.Add([]byte(`{"a":[1,[2,{"b":3,"c":[]}],4],"b":{"a":{}},"c":"x"}`), []byte{9, 3, 8, 1, 7, 200, 5, 4, 77, 12})
	f.Add([]byte(` { "a" : [ 1 , 2 , 3 ] , "a" : { "b" : [ ] } } `), []byte{1, 0, 2, 0, 3, 0, 4, 1, 5, 2})
	f.Fuzz(func(t *testing.T, text, moves []byte) {
		before := bytes.Clone(text)
		text = append(make([]byte, 0, len(text)+len(moves)), text...)
		d, err := Read(text, open())
		if (err == nil) != (json.Valid(text) && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))) {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil {
			return
		}
		copies := make([]*model, len(d.nodes))
		root := copyOf(d, d.Root(), copies)
		for len(moves) >= 2 {
			move(d, copies, moves[0], Node(int(moves[1])%len(d.nodes)))
			moves = moves[2:]
		}
		out := d.Bytes()
		if !bytes.Equal(text, before) {
			t.Fatal("the text was changed")
		}
		if got, want := compact(t, out), root.json(); got != want {
			t.Fatalf("%s\n got %s\nwant %s\nfrom %s", text, got, want, out)
		}
		at := 0
		for _, e := range d.Edits() {
			if e.From < at || e.To < e.From {
				t.Fatalf("edits out of order: %v", d.Edits())
			}
			at = e.To
		}
		if !reflect.DeepEqual(Apply(text, d.Edits()), out) {
			t.Fatal("the edits are not what was done")
		}
		if taken := d.Take(); !bytes.Equal(taken, out) {
			t.Fatalf("in place %q\nbecame %q, want %q", before, taken, out)
		}
	})
}

// move makes one change on both.
func move(d *Document, copies []*model, kind byte, n Node) {
	m := copies[n]
	switch kind % 4 {
	case 0:
		if n != 0 {
			parent := copies[d.nodes[n].parent]
			if i := slices.Index(parent.values, m); i >= 0 {
				parent.values = slices.Delete(parent.values, i-m.put, i+1)
				parent.keys = slices.Delete(parent.keys, i-m.put, i+1)
			}
		}
		d.Delete(n)
	case 1:
		if n != 0 {
			*m = model{literal: `"r"`, put: m.put}
			d.Replace(n, `"r"`)
		}
	case 2:
		if m.literal != "" || !d.nodes[n].opened {
			return
		}
		m.keys, m.values = append(m.keys, `"x"`), append(m.values, &model{literal: `[7]`})
		if m.object {
			d.AppendMember(n, "x", `[7]`)
		} else {
			d.Append(n, `[7]`)
		}
	case 3:
		if n == 0 || copies[d.nodes[n].parent].object {
			return
		}
		parent := copies[d.nodes[n].parent]
		if i := slices.Index(parent.values, m); i >= 0 {
			parent.values = slices.Insert(parent.values, i, &model{literal: `8`})
			parent.keys = slices.Insert(parent.keys, i, "")
		}
		m.put++
		d.InsertBefore(n, `8`)
	}
}

func copyOf(d *Document, n Node, copies []*model) *model {
	m := &model{object: d.Kind(n) == '{'}
	copies[n] = m
	if !d.nodes[n].opened {
		m.literal = string(d.Raw(n))
		return m
	}
	for c := range d.Children(n) {
		k := d.nodes[c].key
		m.keys, m.values = append(m.keys, string(d.text[k.From:k.To])), append(m.values, copyOf(d, c, copies))
	}
	return m
}

// json is the compact form of the copy.
func (m *model) json() string {
	if m.literal != "" {
		var b bytes.Buffer
		if json.Compact(&b, []byte(m.literal)) != nil {
			return "invalid"
		}
		return b.String()
	}
	var parts []string
	for i, v := range m.values {
		if m.object {
			parts = append(parts, m.keys[i]+":"+v.json())
		} else {
			parts = append(parts, v.json())
		}
	}
	if m.object {
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return b.String()
}
