package files

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/tool/tooltest"
)

const book = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"keep":  [1e3]},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["3\n"]
    },
    {"output_type": "execute_result", "data": {"image/png": "aGk=", "text/plain": "<Figure>"}, "metadata": {}},
    {"output_type": "error", "ename": "E", "evalue": "bad", "traceback": []}
   ],
   "source": "1 + 2"
  }
 ],
 "metadata": {"language_info": {"name": "python"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestReadNotebook(t *testing.T) {
	b := tooltest.New(t, map[string]string{"a.ipynb": book})
	got := b.Run(Read, tooltest.Obj{"file_path": "a.ipynb"})
	want := "(notebook with 2 cells, in python)\n\ncell 1: markdown, cell_id \"intro\"\n1\t# Title\n2\ttext\n\n" +
		"cell 2: code, cell_id \"sum\", run as [3]\n1\t1 + 2\noutput:\n3\n<Figure>\n(image/png, 6 bytes)\nE: bad\n"
	if got.Result.Text != want || got.Result.Summary != "2 cells" || got.Result.Truncated {
		t.Errorf("%q %+v", got.Result.Text, got.Result)
	}
	if got := b.Run(Read, tooltest.Obj{"file_path": "a.ipynb", "limit": 1}).Result; !got.Truncated || !strings.HasSuffix(got.Text, "(cells 1 to 1 of 2; read on with offset 2)\n") {
		t.Errorf("%+v", got)
	}
	b.Write("bad.ipynb", "{}")
	if got := b.Run(Read, tooltest.Obj{"file_path": "bad.ipynb"}); got.Result.Text != "1\t{}\n" {
		t.Errorf("%+v", got)
	}
}

func TestNotebookEdit(t *testing.T) {
	tests := map[string]struct {
		in       tooltest.Obj
		from, to string // what is replaced in the book, and by what
	}{
		"replace lines": {tooltest.Obj{"cell_id": "intro", "new_source": "a\n\nb\n"}, "    \"# Title\\n\",\n    \"text\"\n", "    \"a\\n\",\n    \"\\n\",\n    \"b\\n\"\n"},
		"to nothing":    {tooltest.Obj{"cell_id": "1", "new_source": ""}, "[\n    \"# Title\\n\",\n    \"text\"\n   ]", "[]"},
		"insert first": {tooltest.Obj{"edit_mode": "insert", "cell_type": "raw", "new_source": "x"}, "  {\n   \"cell_type\": \"markdown\"",
			"  {\n   \"cell_type\": \"raw\",\n   \"id\": \"ID\",\n   \"metadata\": {},\n   \"source\": [\n    \"x\"\n   ]\n  },\n  {\n   \"cell_type\": \"markdown\""},
		"delete last":  {tooltest.Obj{"cell_id": "sum", "edit_mode": "delete"}, book[strings.Index(book, ",\n  {\n   \"cell_type\": \"code\"") : strings.Index(book, "1 + 2\"")+len("1 + 2\"\n  }")], ""},
		"delete first": {tooltest.Obj{"cell_id": "intro", "edit_mode": "delete"}, book[strings.Index(book, "  {\n   \"cell_type\": \"markdown\""):strings.Index(book, "  {\n   \"cell_type\": \"code\"")], ""},
		"another type": {tooltest.Obj{"cell_id": "intro", "cell_type": "raw", "new_source": "x"}, book[strings.Index(book, "  {\n   \"cell_type\": \"markdown\""):strings.Index(book, ",\n  {\n   \"cell_type\": \"code\"")],
			"  {\n   \"cell_type\": \"raw\",\n   \"id\": \"intro\",\n   \"metadata\": {},\n   \"source\": [\n    \"x\"\n   ]\n  }"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := tooltest.New(t, map[string]string{"a.ipynb": book})
			b.Run(Read, tooltest.Obj{"file_path": "a.ipynb"})
			test.in["notebook_path"] = "a.ipynb"
			if got := b.Run(NotebookEdit, test.in); got.How != session.ToolOK {
				t.Fatalf("%+v", got)
			}
			now := b.Content("a.ipynb")
			if i := strings.Index(test.to, `"ID"`); i >= 0 {
				var n notebook
				if err := json.Unmarshal([]byte(now), &n); err != nil || n.Cells[0].ID == "" {
					t.Fatal(err)
				}
				test.to = strings.Replace(test.to, `"ID"`, `"`+n.Cells[0].ID+`"`, 1)
			}
			if want := strings.Replace(book, test.from, test.to, 1); now != want || !json.Valid([]byte(now)) {
				t.Errorf("%s\nwant\n%s", now, want)
			}
		})
	}
}

// A changed code cell loses its outputs, which belong to another source, and nothing else.
func TestNotebookEditClearsOutputs(t *testing.T) {
	got, err := editNotebook([]byte(book), cellEdit{Mode: "replace", Cell: "sum", Source: new("2 + 2\n3")})
	if err != nil {
		t.Fatal(err)
	}
	from, to := strings.Index(book, `"outputs": [`), strings.Index(book, `   "source": "1 + 2"`)
	want := strings.Replace(book[:from]+"\"outputs\": [],\n"+book[to:], `"1 + 2"`, `"2 + 2\n3"`, 1)
	if want = strings.Replace(want, `"execution_count": 3`, `"execution_count": null`, 1); string(got) != want {
		t.Errorf("%s", got)
	}
}

func TestNotebookEditRefuses(t *testing.T) {
	tests := map[string]struct {
		book string
		in   tooltest.Obj
		want string
	}{
		"no cell":     {book, tooltest.Obj{"cell_id": "9", "new_source": "x"}, `a.ipynb: There is no cell "9". Give a cell_id that Read shows, or the number of a cell from 1 to 2.`},
		"no source":   {book, tooltest.Obj{"cell_id": "1"}, `The input lacks "new_source".`},
		"no cell_id":  {book, tooltest.Obj{"new_source": "x"}, `The input lacks "cell_id", which says which cell to replace.`},
		"no type":     {book, tooltest.Obj{"edit_mode": "insert", "new_source": "x"}, `The input lacks "cell_type", which an inserted cell needs: code, markdown or raw.`},
		"wrong mode":  {book, tooltest.Obj{"edit_mode": "append"}, `"edit_mode" must be replace, insert or delete, not "append".`},
		"old format":  {`{"worksheets":[],"nbformat":3}`, tooltest.Obj{"cell_id": "1", "new_source": "x"}, `a.ipynb: it has the notebook format 3, and only 4 is known.`},
		"cells twice": {`{"cells":[],"nbformat":4,"cells":[]}`, tooltest.Obj{"edit_mode": "insert", "cell_type": "raw", "new_source": "x"}, `a.ipynb: an object in it has "cells" twice.`},
		"no cells":    {`{"nbformat":4}`, tooltest.Obj{"edit_mode": "insert", "cell_type": "raw", "new_source": "x"}, `a.ipynb: it has no list of "cells".`},
	}
	for name, test := range tests {
		b := tooltest.New(t, map[string]string{"a.ipynb": test.book})
		b.Run(Read, tooltest.Obj{"file_path": "a.ipynb"})
		test.in["notebook_path"] = "a.ipynb"
		if got := b.Run(NotebookEdit, test.in); got.Result.Text != test.want || b.Content("a.ipynb") != test.book {
			t.Errorf("%s: %q", name, got.Result.Text)
		}
	}
}

// Whatever a notebook holds, an edit gives a notebook with the cell as it was meant, and the others as they were.
func FuzzEditNotebook(f *testing.F) {
	f.Add([]byte(book), "sum", "x\ny", "", "replace")
	f.Add([]byte(book), "1", "x", "code", "replace")
	f.Add([]byte(`{"cells":[],"nbformat":4}`), "", "x\r\n", "code", "insert")
	f.Add([]byte("{\r\n  \"nbformat\":4,\r\n  \"cells\":[ {\"cell_type\":\"raw\",\"source\":[]} , {\"cell_type\":\"raw\",\"source\":\"\"}\r\n]}"), "2", "", "raw", "delete")
	f.Fuzz(func(t *testing.T, content []byte, id, source, kind, mode string) {
		switch mode {
		case "insert", "delete", "replace":
		default:
			return
		}
		if kind == "" && mode == "insert" || id == "" && mode != "insert" {
			return
		}
		source = strings.ToValidUTF8(source, "")
		before, err := readNotebook(content)
		if err != nil {
			return
		}
		got, err := editNotebook(content, cellEdit{Cell: id, Source: &source, Type: kind, Mode: mode})
		if err != nil {
			return
		}
		after, err := readNotebook(got)
		if err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		at := -1
		if id != "" {
			at, _ = before.find(id)
		}
		switch mode {
		case "insert":
			if len(after.Cells) != len(before.Cells)+1 || string(after.Cells[at+1].Source) != source || at >= 0 && after.Cells[at].Source != before.Cells[at].Source {
				t.Errorf("%s", got)
			}
		case "delete":
			if len(after.Cells) != len(before.Cells)-1 {
				t.Errorf("%s", got)
			}
		default:
			if len(after.Cells) != len(before.Cells) || string(after.Cells[at].Source) != source {
				t.Errorf("%s", got)
			}
		}
	})
}
