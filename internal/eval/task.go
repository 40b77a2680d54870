package eval

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

// Task is one small repository with a prompt and checks.
type Task struct {
	Name     string    `yaml:"-"`
	Category string    `yaml:"category"`
	About    string    `yaml:"about"`
	Prompt   string    `yaml:"prompt"`
	Needs    []string  `yaml:"needs"`
	Limits   Limits    `yaml:"limits"`
	Make     []Made    `yaml:"make"`
	CRLF     []string  `yaml:"crlf"`
	Only     *[]string `yaml:"only"`
	Check    []Check   `yaml:"check"`
	// Solution are the answers of the scripted model, one after another.
	Solution []yaml.Node `yaml:"solution"`

	repo, hidden []txtar.File
}

// Limits bound one run of a task.
type Limits struct {
	Requests int           `yaml:"requests"`
	Time     time.Duration `yaml:"time"`
}

// Made is a file that is generated: lines with their number in place of {{n}}, but for some.
type Made struct {
	File  string         `yaml:"file"`
	Lines int            `yaml:"lines"`
	Line  string         `yaml:"line"`
	At    map[int]string `yaml:"at"`
}

// Check is what has to hold after a task. Exactly one of File, Run, Answer and Avoids is set.
type Check struct {
	File     string  `yaml:"file"`
	Equals   *string `yaml:"equals"`
	Contains texts   `yaml:"contains"`
	Lacks    texts   `yaml:"lacks"`
	Matches  string  `yaml:"matches"`
	Missing  bool    `yaml:"missing"`

	Run    string `yaml:"run"`
	Prints string `yaml:"prints"`

	Answer string `yaml:"answer"`
	Avoids string `yaml:"avoids"`
}

// texts are one text or several.
type texts []string

// UnmarshalYAML reads a text or a list of texts.
func (t *texts) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*t = texts{n.Value}
		return nil
	}
	return n.Decode((*[]string)(t))
}

//go:embed tasks/*.txtar
var embedded embed.FS

// Tasks returns the suite in the order of names.
func Tasks() ([]Task, error) { return load(embedded) }

// load reads all tasks below the folder tasks.
func load(files fs.FS) ([]Task, error) {
	names, err := fs.Glob(files, "tasks/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []Task
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		t, err := Parse(strings.TrimSuffix(path.Base(name), ".txtar"), text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// The limits of a run where a task names none.
const (
	defaultRequests = 40
	defaultTime     = 10 * time.Minute
)

// Parse reads a task from its text, which format.md describes.
func Parse(name string, text []byte) (Task, error) {
	archive := txtar.Parse(text)
	t := Task{Name: name}
	d := yaml.NewDecoder(bytes.NewReader(archive.Comment))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return Task{}, err
	}
	for _, f := range archive.Files {
		if rest, ok := strings.CutPrefix(f.Name, "repo/"); ok {
			t.repo = append(t.repo, txtar.File{Name: rest, Data: f.Data})
		} else if rest, ok := strings.CutPrefix(f.Name, "check/"); ok {
			t.hidden = append(t.hidden, txtar.File{Name: rest, Data: f.Data})
		} else {
			return Task{}, fmt.Errorf("%s is neither below repo nor below check", f.Name)
		}
	}
	if t.Limits.Requests == 0 {
		t.Limits.Requests = defaultRequests
	}
	if t.Limits.Time == 0 {
		t.Limits.Time = defaultTime
	}
	t.Prompt = strings.TrimSpace(t.Prompt)
	return t, t.complete()
}

// complete refuses a task that lacks something.
func (t Task) complete() error {
	switch {
	case t.Category == "" || t.About == "" || t.Prompt == "":
		return errors.New("category, about and prompt must be there")
	case len(t.Check) == 0 || len(t.Solution) == 0:
		return errors.New("check and solution must be there")
	}
	for i, c := range t.Check {
		kinds := slices.DeleteFunc([]string{c.File, c.Run, c.Answer, c.Avoids}, func(s string) bool { return s == "" })
		if len(kinds) != 1 {
			return fmt.Errorf("check %d needs exactly one of file, run, answer and avoids", i+1)
		}
		if c.File != "" && c.Equals == nil && c.Contains == nil && c.Lacks == nil && c.Matches == "" && !c.Missing {
			return fmt.Errorf("check %d says nothing about %s", i+1, c.File)
		}
		for _, re := range []string{c.Matches, c.Prints, c.Answer, c.Avoids} {
			if _, err := regexp.Compile(re); err != nil {
				return fmt.Errorf("check %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// Match returns the tasks whose name or category matches a glob; "" matches all.
func Match(all []Task, glob string) ([]Task, error) {
	if _, err := path.Match(glob, ""); err != nil {
		return nil, fmt.Errorf("%q: %w", glob, err)
	}
	var some []Task
	for _, t := range all {
		byName, _ := path.Match(glob, t.Name)
		byCategory, _ := path.Match(glob, t.Category)
		if glob == "" || byName || byCategory {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("no task matches %q", glob)
	}
	return some, nil
}
