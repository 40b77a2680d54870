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

	"parley/session"
)

// Task is one repository with prompts and checks.
type Task struct {
	Name     string `yaml:"-"`
	Category string `yaml:"category"`
	About    string `yaml:"about"`
	Step     `yaml:",inline"`
	Then     []Step    `yaml:"then"`  // the prompts after the first, in their order
	Steer    *Steer    `yaml:"steer"` // a prompt into the first turn
	Children []Step    `yaml:"children"`
	Needs    []string  `yaml:"needs"`
	Limits   Limits    `yaml:"limits"`
	Make     []Made    `yaml:"make"`
	CRLF     []string  `yaml:"crlf"`
	Only     *[]string `yaml:"only"`
	Check    []Check   `yaml:"check"`

	repo, hidden []txtar.File
}

// Step is one prompt, or one subagent's task, with its answers by the scripted model.
type Step struct {
	Prompt string       `yaml:"prompt"`
	Mode   session.Mode `yaml:"mode"` // "": everything may be done
	// Solution are the answers, one after another; those to a command such as /compact answer what it asks the model.
	Solution []yaml.Node `yaml:"solution"`
}

// Steer is a prompt that reaches the first turn once it has made some calls, or follows it if the turn was faster.
type Steer struct {
	Step  `yaml:",inline"`
	After int `yaml:"after"` // so many calls have ended
}

// steps returns the prompts of the user in their order, without the one that steers.
func (t Task) steps() []Step { return append([]Step{t.Step}, t.Then...) }

// Limits bound one run of a task.
type Limits struct {
	Requests int           `yaml:"requests"`
	Time     time.Duration `yaml:"time"`
}

// Made is a file that is generated: lines with their number in place of {{n}}, but for some. With Files there are so many,
// with their number in place of {{f}}; those that the task has itself are left alone.
type Made struct {
	File  string         `yaml:"file"`
	Files int            `yaml:"files"`
	Lines int            `yaml:"lines"`
	Line  string         `yaml:"line"`
	At    map[int]string `yaml:"at"`
}

// Check is a condition that has to hold after a task. Exactly one of File, Run, Answer, Avoids and Uses is set.
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

	Uses  string `yaml:"uses"`
	Times int    `yaml:"times"`
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
	for _, more := range [][]Step{t.Then, t.Children} {
		for i := range more {
			more[i].Prompt = strings.TrimSpace(more[i].Prompt)
		}
	}
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
	for _, s := range slices.Concat(t.Then, t.Children, t.steered()) {
		if s.Prompt == "" || len(s.Solution) == 0 {
			return errors.New("each of then, children and steer needs prompt and solution")
		}
	}
	for i, c := range t.Check {
		kinds := slices.DeleteFunc([]string{c.File, c.Run, c.Answer, c.Avoids, c.Uses}, func(s string) bool { return s == "" })
		if len(kinds) != 1 {
			return fmt.Errorf("check %d needs exactly one of file, run, answer, avoids and uses", i+1)
		}
		if c.File != "" && c.Equals == nil && c.Contains == nil && c.Lacks == nil && c.Matches == "" && !c.Missing {
			return fmt.Errorf("check %d says nothing about %s", i+1, c.File)
		}
		for _, re := range []string{c.Matches, c.Prints, c.Answer, c.Avoids, c.Uses} {
			if _, err := regexp.Compile(re); err != nil {
				return fmt.Errorf("check %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// steered returns the prompt that steers, if there is one.
func (t Task) steered() []Step {
	if t.Steer == nil {
		return nil
	}
	return []Step{t.Steer.Step}
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
