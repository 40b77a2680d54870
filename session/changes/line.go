package changes

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parley/session/changes/snapshot"
)

// line is one line of a log's file: a JSON object with exactly one of these fields. A line with none of them was written by
// a newer parley, and is skipped.
type line struct {
	Change *Change `json:"change,omitempty"`
	Step   *step   `json:"step,omitempty"`
	Mark   *mark   `json:"mark,omitempty"`
	End    *end    `json:"end,omitempty"`
}

// step is a choice of the user. It is written before the first file is touched. Marks follow, one for each file, then the end.
type step struct {
	ID   int       `json:"id"`
	Kind StepKind  `json:"kind"`
	At   time.Time `json:"at"`
	// Changes are those that the step accepts.
	Changes []ChangeID `json:"changes,omitempty"`
	// Files are those that the step writes, in that order.
	Files []stepFile `json:"files,omitempty"`
}

// stepFile describes the effect of a step on one file.
type stepFile struct {
	Path string         `json:"path"`
	From snapshot.State `json:"from"`
	To   snapshot.State `json:"to"`
	// Back are the changes that the step takes back, Again those that it brings back.
	Back  []ChangeID `json:"back,omitempty"`
	Again []ChangeID `json:"again,omitempty"`
	// Redoes is the step whose From this one restores; 0 if it redoes none.
	Redoes int `json:"redoes,omitempty"`
	// Made are the directories that the step creates above Path, outermost first. Unmake are those that a redo removes if they
	// are empty, because the step that it redoes, or what it takes back, created them.
	Made   []string `json:"made,omitempty"`
	Unmake []string `json:"unmake,omitempty"`
	// Clears reports that the path is a directory from which the step removes all files.
	Clears bool `json:"clears,omitempty"`
}

// mark records the outcome of one file of a step.
type mark struct {
	Step int    `json:"step"`
	File int    `json:"file"` // index in the step's files
	Fate string `json:"fate"`
	Why  string `json:"why,omitempty"` // for left
}

// The fates of a step's file. elsewhere is that of a file that was neither in one state nor in the other when a reader
// completed the record of a killed process: its changes are not taken back, but its content before the step can be had back.
const (
	done      = "done"
	left      = "left"
	elsewhere = "elsewhere"
)

// end ends a step. Files without a mark were left alone.
type end struct {
	Step int `json:"step"`
}

// encode returns a line with its line feed.
func (l line) encode() ([]byte, error) {
	data, err := json.Marshal(l.mapped(hide))
	if err != nil {
		return nil, err
	}
	return append(data, '\n'), nil
}

// decodeLine reports false for lines that are damaged, blank or unknown.
func decodeLine(data []byte) (line, bool) {
	var l line
	if data = bytes.TrimSpace(data); len(data) == 0 || json.Unmarshal(data, &l) != nil {
		return line{}, false
	}
	return l.mapped(reveal), l != line{}
}

// mapped returns a copy whose paths and targets went through f.
func (l line) mapped(f func(string) string) line {
	state := func(s snapshot.State) snapshot.State {
		s.Target = f(s.Target)
		return s
	}
	each := func(list []string) []string {
		list = slices.Clone(list)
		for i := range list {
			list[i] = f(list[i])
		}
		return list
	}
	if l.Change != nil {
		c := *l.Change
		c.Path, c.Before, c.After, c.Dirs = f(c.Path), state(c.Before), state(c.After), each(c.Dirs)
		l.Change = &c
	}
	if l.Step != nil {
		s := *l.Step
		s.Files = slices.Clone(s.Files)
		for i, file := range s.Files {
			file.Path, file.From, file.To = f(file.Path), state(file.From), state(file.To)
			file.Made, file.Unmake = each(file.Made), each(file.Unmake)
			s.Files[i] = file
		}
		l.Step = &s
	}
	return l
}

// JSON has no place for bytes that are not UTF-8, which paths and targets may contain. No path contains the byte 0: a string
// that begins with it is in base64.
const hidden = "\x00"

func hide(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return hidden + base64.StdEncoding.EncodeToString([]byte(s))
}

func reveal(s string) string {
	if coded, ok := strings.CutPrefix(s, hidden); ok {
		if b, err := base64.StdEncoding.DecodeString(coded); err == nil {
			return string(b)
		}
	}
	return s
}
