package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/copilot"
	"parley/internal/safefs"
	"parley/session"
)

// choice is the stored part of a model, to check the user's settings.
type choice struct {
	ID      string   `json:"id"`
	Efforts []string `json:"efforts,omitempty"`
	// Offered reports whether users are offered the model; others work too if named.
	Offered bool `json:"offered,omitempty"`
	Default bool `json:"default,omitempty"`
	// Terms reports whether the user has to agree to the model's terms first.
	Terms bool `json:"terms,omitempty"`
}

// choices are all models of a login.
type choices []choice

// choicesVersion is the version of the file's format.
const choicesVersion = 1

// choicesLast is the time for which stored choices are valid: a newer model must not be refused.
const choicesLast = 24 * time.Hour

// maxChoices bounds the file, in bytes.
const maxChoices = 1 << 20

// choicesFile stores the choices of a login. It is safe for concurrent use; nil stores nothing.
type choicesFile struct {
	path  string
	login string

	mu    sync.Mutex
	saved string // the content written last
}

// savedChoices is the content of the file.
type savedChoices struct {
	V      int       `json:"v"`
	Login  string    `json:"of"`
	At     time.Time `json:"at"`
	Models choices   `json:"models"`
}

// load returns the stored choices of the login, nil if there are none, or they are damaged or old.
func (f *choicesFile) load(now time.Time) choices {
	if f == nil {
		return nil
	}
	text, err := safefs.ReadFile(context.Background(), f.path, maxChoices, safefs.FollowLinks)
	var s savedChoices
	if err != nil || json.Unmarshal(text, &s) != nil || s.V != choicesVersion || s.Login != f.login {
		return nil
	}
	if age := now.Sub(s.At); age < 0 || age > choicesLast {
		return nil
	}
	return s.Models
}

// Stored returns the models that users were offered when they were last listed, with their efforts, whatever the login and however
// long ago. It asks no service; nil if nothing is stored at path.
func Stored(path string) (models []session.Model) {
	text, err := safefs.ReadFile(context.Background(), path, maxChoices, safefs.FollowLinks)
	var s savedChoices
	if err != nil || json.Unmarshal(text, &s) != nil || s.V != choicesVersion {
		return nil
	}
	for _, m := range s.Models {
		if m.Offered {
			models = append(models, session.Model{ID: m.ID, Efforts: m.Efforts, Default: m.Default})
		}
	}
	return models
}

// save writes the choices, unless they equal those written last. It does not sync.
func (f *choicesFile) save(c choices, now time.Time) error {
	if f == nil {
		return nil
	}
	models, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if string(models) == f.saved {
		return nil
	}
	text, err := json.Marshal(savedChoices{choicesVersion, f.login, now, c})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	if err := safefs.WriteFile(f.path, text); err != nil {
		return err
	}
	f.saved = string(models)
	return nil
}

// choicesOf returns the stored part of a model list.
func choicesOf(list []copilot.Model) choices {
	var c choices
	def, _ := copilot.DefaultModel(list)
	for _, m := range list {
		offered := m.Picker && m.Type != "embeddings" && m.ID != "auto" && unusable(m) == ""
		c = append(c, choice{ID: m.ID, Efforts: m.Supports.Efforts, Offered: offered, Default: m.ID == def.ID, Terms: m.Policy.Open()})
	}
	return c
}

// Wrong is an unusable model or effort of a session.
type Wrong struct {
	// Key is the configuration key: "model" or "effort".
	Key string
	// What describes the problem.
	What string
	// Good are the valid values; empty if unknown.
	Good []string
	// Terms is the model whose terms have to be accepted first, empty if that is not the problem.
	Terms string
}

// wrong returns what is wrong with the settings of a session, nil if nothing is known to be wrong. aliases are further
// names of models. anyModel accepts an effort that another model supports.
func (c choices) wrong(aliases []string, s session.Settings, anyModel bool) *Wrong {
	if len(c) == 0 {
		return nil
	}
	at := slices.IndexFunc(c, func(m choice) bool { return m.ID == s.Model })
	if at < 0 {
		at = slices.IndexFunc(c, func(m choice) bool { return session.SameModel(m.ID, s.Model) })
	}
	if s.Model != "" && at < 0 && !slices.ContainsFunc(aliases, func(a string) bool { return session.SameModel(a, s.Model) }) {
		return &Wrong{Key: "model", What: fmt.Sprintf("this login has no model %q", s.Model), Good: c.offered()}
	}
	if at >= 0 && c[at].Terms {
		return &Wrong{Key: "model", What: "the model " + c[at].ID + " " + needsYes, Terms: c[at].ID}
	}
	good, what := c.efforts(), "unknown effort %q"
	if at >= 0 && !anyModel {
		good, what = c[at].Efforts, "the model "+c[at].ID+" takes no effort %q"
	}
	if s.Effort == "" || slices.Contains(good, s.Effort) {
		return nil
	}
	return &Wrong{Key: "effort", What: fmt.Sprintf(what, s.Effort), Good: good}
}

// offered returns the ids of the offered models.
func (c choices) offered() (ids []string) {
	for _, m := range c {
		if m.Offered {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// efforts returns the efforts of the offered models.
func (c choices) efforts() (all []string) {
	for _, m := range c {
		for _, e := range m.Efforts {
			if m.Offered && !slices.Contains(all, e) {
				all = append(all, e)
			}
		}
	}
	return all
}
