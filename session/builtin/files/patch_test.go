package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

// patchOf wraps the sections of a patch.
func patchOf(body string) string { return patchBegin + "\n" + body + patchEnd }

func TestApplyHunks(t *testing.T) {
	const file = "package a\n\nfunc one() {\n\treturn 1\n}\n\nfunc two() {\n\treturn 1\n}\n"
	tests := map[string]struct{ file, hunks, want string }{
		"plain":                  {file, " func one() {\n-\treturn 1\n+\treturn 2\n }\n", strings.Replace(file, "1", "2", 1)},
		"behind a line":          {file, "@@ func two() {\n-\treturn 1\n+\treturn 2\n", "package a\n\nfunc one() {\n\treturn 1\n}\n\nfunc two() {\n\treturn 2\n}\n"},
		"behind part of a line":  {file, "@@ func two\n-\treturn 1\n+\treturn 2\n", "package a\n\nfunc one() {\n\treturn 1\n}\n\nfunc two() {\n\treturn 2\n}\n"},
		"behind two lines":       {"a\nx\nb\nx\na\nb\nx\n", "@@ a\n@@ b\n-x\n+y\n", "a\nx\nb\ny\na\nb\nx\n"},
		"two hunks":              {file, "@@\n-package a\n+package b\n@@\n-func two() {\n+func three() {\n", strings.NewReplacer("package a", "package b", "two", "three").Replace(file)},
		"line numbers":           {file, "@@ -1,2 +1,2 @@ x\n-package a\n+package b\n", strings.Replace(file, "package a", "package b", 1)},
		"trailing white space":   {"a  \nb\n", " a\n-b\n+c\n", "a  \nc\n"},
		"all white space":        {"\t\ta\n\t\tb\n", " a\n-b\n+\t\tc\n", "\t\ta\n\t\tc\n"},
		"plain signs":            {"say “x” – y\nb\n", " say \"x\" - y\n-b\n+c\n", "say “x” – y\nc\n"},
		"exact before loose":     {" a\na\n", "-a\n+b\n", " a\nb\n"},
		"at the end":             {"x\na\nx\na\n", "@@\n-a\n+b\n*** End of File\n", "x\na\nx\nb\n"},
		"add at the end":         {"a\n", "@@\n+b\n", "a\nb\n"},
		"add behind a line":      {"a\nb\n", "@@ a\n+x\n", "a\nx\nb\n"},
		"add to an empty file":   {"", "@@\n+b\n", "b\n"},
		"no line feed at end":    {"a\nb", " a\n-b\n+c\n", "a\nc"},
		"add after no line feed": {"a\nb", " b\n+c\n", "a\nb\nc"},
		"crlf":                   {"a\r\nb\r\n", " a\n-b\n+c\n+d\n", "a\r\nc\r\nd\r\n"},
		"mixed":                  {"a\r\nb\nc\n", " b\n+x\n-c\n", "a\r\nb\nx\n"},
		"blank line of context":  {"a\n\nb\n", " a\n\n-b\n+c\n", "a\n\nc\n"},
		"blank line before next": {"a\nb\n", "@@\n-a\n+x\n\n@@\n-b\n+y\n", "x\ny\n"},
		"remove all":             {"a\nb\n", "-a\n-b\n", ""},
		"lost line, one place":   {"a\nb\n", "@@ nowhere\n-b\n+c\n", "a\nc\n"},
		"lost line, two places":  {"b\nb\n", "@@ nowhere\n-b\n+c\n", `!there is no line "nowhere"`},
		"two places":             {file, " \treturn 1\n-}\n+} // end\n", "!these lines occur more than once, at lines 4 to 5 and lines 8 to 9"},
		"missing":                {file, " func one() {\n-\treturn 7\n+\treturn 2\n }\n", "!Line 4 is\n\treturn 1\nwhere the hunk has\n\treturn 7"},
		"wrong order":            {"a\nb\n", "@@\n-b\n+x\n@@\n-a\n+y\n", "!hunk 2 of 2 (line 6 of the patch) does not apply: these lines were not found after line 2:\na\nThey stand at line 1. Put the hunks in the order"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sections, err := parsePatch(patchOf(patchUpdate + "f\n" + test.hunks))
			if err != nil {
				t.Fatal(err)
			}
			got, err := applyHunks(test.file, sections[0].hunks)
			if want, isError := strings.CutPrefix(test.want, "!"); isError {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q, %v", got, err)
				}
			} else if err != nil || got != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestParsePatch(t *testing.T) {
	bad := map[string]string{
		"":                                           "has no line",
		"*** Begin Patch\n*** Add File: a\n+x\n":     "may be cut off",
		patchOf(""):                                  "is empty",
		patchOf("*** Rename File: a\n"):              "Line 2 of the patch begins no section",
		patchOf("*** Add File: a\nx\n"):              "Line 3 of the patch does not begin with +",
		patchOf("*** Update File: a\n"):              "says nothing about a",
		patchOf("*** Update File: a\n@@\n x\n"):      "changes nothing",
		patchOf("*** Update File: a\n@@\nx\n"):       "Line 4 of the patch begins neither",
		patchOf("*** Update File: \n@@\n-x\n"):       "names no file",
		patchOf("*** Update File: a\n@@\n+x\nEnd\n"): "begins neither",
	}
	for s, want := range bad {
		if got, err := parsePatch(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{
		"```\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n```",
		"apply_patch <<'EOF'\n*** Begin Patch\r\n*** Delete File: a\r\n*** End Patch\r\nEOF\n",
		"*** Delete File: a\n*** End Patch",
	} {
		if got, err := parsePatch(s); err != nil || len(got) != 1 || got[0].path != "a" {
			t.Errorf("%q: %+v, %v", s, got, err)
		}
	}
	if got, err := parsePatch(patchOf("*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n")); err == nil {
		t.Errorf("two patches: %+v", got)
	}
}

func TestApplyPatch(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a": "one\ntwo\n", "old/b": "x\n", "c": "gone\n"})
	if err := os.Chmod(filepath.Join(b.W.Dir, "old/b"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := b.Run(ApplyPatch, tooltest.Obj{"input": patchOf("*** Update File: a\n one\n-two\n+three\n*** Update File: old/b\n*** Move to: new/b\n-x\n+y\n" +
		"*** Delete File: c\n*** Add File: d/e\n+1\n+\n")})
	want := "Changed a (+1 -1 lines).\nWrote new/b (+1 -0 lines).\nDeleted old/b (+0 -1 lines).\nDeleted c (+0 -1 lines).\nWrote d/e (+2 -0 lines)."
	if got.How != session.ToolOK || got.Result.Text != want || len(got.Edits) != 5 || !got.Edits[2].Deleted || !got.Edits[4].Created {
		t.Errorf("%+v", got)
	}
	for name, content := range map[string]string{"a": "one\nthree\n", "new/b": "y\n", "d/e": "1\n\n", "c": "(no such file or directory)", "old/b": "(no such file or directory)"} {
		if b.Content(name) != content {
			t.Errorf("%s: %q", name, b.Content(name))
		}
	}
	if info, err := os.Stat(filepath.Join(b.W.Dir, "new/b")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v %v", info, err)
	}
	// What the model wrote as a whole it knows, and may overwrite.
	if got := b.Run(Write, tooltest.Obj{"file_path": "d/e", "content": "2\n"}); got.How != session.ToolOK {
		t.Errorf("%+v", got)
	}
}

// A patch of which one section does not apply changes nothing.
func TestApplyPatchIsAllOrNothing(t *testing.T) {
	for bad, want := range map[string]string{
		"*** Update File: b\n-nope\n+y\n":                     "b: the patch does not apply: these lines were not found",
		"*** Update File: none\n-x\n+y\n":                     "none does not exist.",
		"*** Add File: b\n+x\n":                               "b exists",
		"*** Update File: b\n*** Move to: bin\n-x\n+y\n":      "b cannot be moved to bin, which exists",
		"*** Update File: bin\n-x\n+y\n":                      "bin is a binary file",
		"*** Update File: ./a\n-two\n+y\n":                    "The patch names ./a twice",
		"*** Delete File: dir\n":                              "dir is a directory",
		"*** Add File: b/c\n+x\n":                             "b/c exists, or its directory cannot be reached",
		"*** Update File: b\n-x\n+y\n*** Delete File: none\n": "none does not exist.",
	} {
		b := tooltest.New(t, map[string]string{"a": "two\n", "b": "x\n", "bin": "\x00", "dir/f": ""})
		got := b.Run(ApplyPatch, tooltest.Obj{"input": patchOf("*** Update File: a\n-two\n+three\n" + bad)})
		if got.How != session.ToolFailed || !strings.Contains(got.Result.Text, want) {
			t.Errorf("%q: %+v", bad, got.Result.Text)
		}
		if b.Content("a") != "two\n" || b.Content("b") != "x\n" {
			t.Errorf("%q: %q %q", bad, b.Content("a"), b.Content("b"))
		}
	}
}

func FuzzApplyPatch(f *testing.F) {
	f.Add("a\nb\r\nc", patchOf("*** Update File: a\n@@ a\n b\n-c\n+d\n"))
	f.Add("", patchOf("*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@\n+x\n*** End of File\n"))
	f.Add("a\n\na\n", patchOf("*** Update File: a\n@@ -1 +1 @@\n \n-a\n\n\n@@\n \n"))
	f.Fuzz(func(t *testing.T, content, patch string) {
		sections, err := parsePatch(patch)
		if err != nil {
			return
		}
		for _, s := range sections {
			got, err := applyHunks(content, s.hunks)
			if err != nil {
				continue
			}
			added, removed := 0, 0
			for _, h := range s.hunks {
				for _, l := range h.lines {
					switch l.op {
					case '+':
						added++
					case '-':
						removed++
					}
				}
			}
			before, after := len(linesOf(content)), len(linesOf(got))
			if lines := before + added - removed; after != lines && after != lines-1 { // an empty last line without an end is none
				t.Errorf("%d lines, %d added, %d removed: %d", before, added, removed, after)
			}
		}
	})
}
