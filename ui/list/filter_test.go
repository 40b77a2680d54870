package list

import (
	"reflect"
	"strings"
	"testing"
)

// What begins with the word comes before what only holds it, and its letters one by one count in names alone.
func TestFilteredBestFirst(t *testing.T) {
	rows := []Row{
		{ID: "tasks", Cells: []string{"tasks", "ctrl+t", "open or fold the task list"}},
		{ID: "stop", Cells: []string{"stop", "ctrl+c", "clear or interrupt; twice leaves"}},
		{ID: "/export", Cells: []string{"/export", "", "write a copy as markdown"}},
		{ID: "xcopy", Cells: []string{"xcopy", "", "nothing"}},
		{ID: "scroll-up", Cells: []string{"scroll-up", "", "nothing"}},
		{ID: "re-copy", Cells: []string{"re-copy", "", "nothing"}},
		{ID: "copy-code", Cells: []string{"copy-code", "alt+k", "copy its code block"}},
		{ID: "copy", Cells: []string{"copy", "", "the answer"}},
		{ID: "off", Cells: nil},
	}
	for typed, want := range map[string][]string{
		"cop":       {"copy-code", "copy", "re-copy", "xcopy", "/export", "scroll-up"},
		"copy":      {"copy", "copy-code", "re-copy", "xcopy", "/export"},
		"COPY code": {"copy-code"},
		"code copy": {"copy-code"},
		"stop":      {"stop"},
		"task fold": {"tasks"},
		"zzz":       nil,
	} {
		var got []string
		for _, n := range new(filter).find(rows, typedWords(typed), nil) {
			got = append(got, rows[n].ID)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q finds %v, want %v", typed, got, want)
		}
	}
}

// typedWords is what a list without filters reads from a text.
func typedWords(typed string) narrowed {
	return narrowed{words: strings.Fields(strings.ToLower(typed))}
}

func FuzzFiltered(f *testing.F) {
	f.Add("cop", "copy-code", "alt+k é")
	f.Add("é", "\xff\xc3", "日本 本")
	f.Fuzz(func(t *testing.T, typed, name, told string) {
		rows := []Row{{ID: name, Cells: []string{name, told}}}
		if got := new(filter).find(rows, typedWords(name), nil); name != "" && len(got) != 1 {
			t.Errorf("%q does not find itself", name)
		}
		new(filter).find(rows, typedWords(typed), nil)
	})
}

// TestALetterMoreFindsTheSame types texts letter by letter, and compares with a filter that sees them for the first time.
func TestALetterMoreFindsTheSame(t *testing.T) {
	rows := manyRows(300)
	rows = append(rows, Row{ID: "zzz", Cells: []string{"other"}}, Row{ID: "Upper", Cells: []string{"ümlaut İ"}}, Row{})
	for _, typed := range []string{"upload fail", "zzz", "upper", "fx tst", "İ", "no such words", "test  17", "main 12"} {
		var f filter
		for i := range typed {
			if got, want := f.find(rows, typedWords(typed[:i]), nil), new(filter).find(rows, typedWords(typed[:i]), nil); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, want %v", typed[:i], got, want)
			}
		}
		if got, want := f.find(rows, typedWords(typed), nil), new(filter).find(rows, typedWords(typed), nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", typed, got, want)
		}
	}
}
