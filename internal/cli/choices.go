package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/copilot"
	"parley/session"
)

// choice is what is known of a model for judging what the user asks for.
type choice struct {
	ID      string   `json:"id"`
	Efforts []string `json:"efforts,omitempty"`
	// Offered says that the model is meant to be chosen; others work too, for those who know of them.
	Offered bool `json:"offered,omitempty"`
	Default bool `json:"default,omitempty"`
}

// choices are all models of a login.
type choices []choice

// choicesVersion grows when the file of the choices changes its form.
const choicesVersion = 1

// choicesLast is how long the choices on disk count: a model that is new since then must not be refused.
const choicesLast = 24 * time.Hour

// maxChoices bounds the file, in bytes.
const maxChoices = 1 << 20

// choicesFile keeps the choices of the login for the next start, which must not wait for the network. It is safe for
// concurrent use.
type choicesFile struct {
	path string
	of   string // which login

	mu    sync.Mutex
	saved string // what was written last
}

type savedChoices struct {
	V      int       `json:"v"`
	Of     string    `json:"of"`
	At     time.Time `json:"at"`
	Models choices   `json:"models"`
}

// choicesFile is the file of the login that the client uses.
func (a *app) choicesFile(client *copilot.Client) *choicesFile {
	cred := client.Credential()
	of := strings.Join([]string{cred.Host, cred.Source, a.cfg.GitHubAPIURL, a.cfg.CopilotAPIURL}, " ")
	return &choicesFile{path: filepath.Join(a.paths.Cache, "models.json"), of: of}
}

// load returns what is on disk of this login, nil if that is nothing, damaged or old.
func (f *choicesFile) load(now time.Time) choices {
	file, err := os.Open(f.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(file, maxChoices))
	var s savedChoices
	if err != nil || json.Unmarshal(text, &s) != nil || s.V != choicesVersion || s.Of != f.of {
		return nil
	}
	if age := now.Sub(s.At); age < 0 || age > choicesLast {
		return nil
	}
	return s.Models
}

// save writes the choices down, unless they are what was written last. Nobody waits for the disk on its account.
func (f *choicesFile) save(c choices, now time.Time) error {
	models, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if string(models) == f.saved {
		return nil
	}
	text, err := json.Marshal(savedChoices{choicesVersion, f.of, now, c})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.path), ".models-")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), f.path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return err
	}
	f.saved = string(models)
	return nil
}

// keptCatalog is a catalog that keeps the choices for the next start.
type keptCatalog struct {
	catalog
	file *choicesFile
	app  *app
}

// Models lists the chat models of the login.
func (k keptCatalog) Models(ctx context.Context) ([]session.Model, error) {
	list, err := k.catalog.Models(ctx)
	if err == nil {
		k.choices(ctx)
	}
	return list, err
}

// choices asks the service, or the memory of the client, and keeps the answer.
func (k keptCatalog) choices(ctx context.Context) (choices, error) {
	list, err := k.client.Models(ctx)
	if err != nil {
		return nil, domainError(err)
	}
	c := choicesOf(list)
	if err := k.file.save(c, time.Now()); err != nil && !errors.Is(err, fs.ErrPermission) {
		k.app.log.Info("keep the model list for the next start", "error", err)
	}
	return c, nil
}

func choicesOf(list []copilot.Model) choices {
	var c choices
	def, _ := copilot.DefaultModel(list)
	for _, m := range list {
		offered := m.Picker && m.Type != "embeddings" && m.ID != "auto" && unusable(m) == ""
		c = append(c, choice{ID: m.ID, Efforts: m.Supports.Efforts, Offered: offered, Default: m.ID == def.ID})
	}
	return c
}

// aliases are the names for models that the agents know besides those of the service.
var aliases = map[string][]string{"claude": {"default", "best", "sonnet", "opus", "haiku", "opusplan"}}

// wrongChoice is a model or an effort that cannot be.
type wrongChoice struct {
	key  string   // "model" or "effort"
	what string   // what is wrong
	good []string // what can be
}

// wrong says what is wrong with what was chosen for a session of an agent, nil if nothing is or nothing is known. An effort
// that only this model does not take is nothing wrong if it was not chosen for this model: it is left out then.
func (c choices) wrong(agent string, s session.Settings, anyModel bool) *wrongChoice {
	if len(c) == 0 {
		return nil
	}
	at := slices.IndexFunc(c, func(m choice) bool { return m.ID == s.Model })
	if at < 0 {
		at = slices.IndexFunc(c, func(m choice) bool { return plainModel(m.ID) == plainModel(s.Model) })
	}
	if s.Model != "" && at < 0 && !slices.Contains(aliases[agent], plainModel(s.Model)) {
		return &wrongChoice{"model", fmt.Sprintf("this login has no model %q", s.Model), c.offered()}
	}
	good, what := c.efforts(), "there is no effort %q"
	if at >= 0 && !anyModel {
		good, what = c[at].Efforts, "the model "+c[at].ID+" takes no effort %q"
	}
	if s.Effort == "" || slices.Contains(good, s.Effort) {
		return nil
	}
	return &wrongChoice{"effort", fmt.Sprintf(what, s.Effort), good}
}

func (c choices) offered() (ids []string) {
	for _, m := range c {
		if m.Offered {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

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

var modelDate = regexp.MustCompile(`-20\d{6}$`)

// plainModel is what all spellings of a model have in common: they differ in dots and dashes, a date, and the mark of a
// longer window.
func plainModel(id string) string {
	id, _, _ = strings.Cut(strings.ToLower(id), "[")
	return modelDate.ReplaceAllString(strings.ReplaceAll(id, ".", "-"), "")
}

// lookAtChosen says what is wrong with a model or an effort that the login does not have. What is on disk decides if it is
// fresh; if it says no, or nothing, and wait says that there is time, the service is asked. Without an answer nothing is
// wrong: then the first request tells.
func (a *app) lookAtChosen(ctx context.Context, k keptCatalog, agent string, s session.Settings, wait bool) *wrongChoice {
	if s.Model == "" && s.Effort == "" {
		return nil
	}
	known, anyModel := k.file.load(time.Now()), a.asked.Effort == ""
	wrong := known.wrong(agent, s, anyModel)
	if wait && (wrong != nil || known == nil) {
		if fresh, err := k.choices(ctx); err == nil {
			wrong = fresh.wrong(agent, s, anyModel)
		}
	}
	return wrong
}

// checkChosen is lookAtChosen for commands: a wrong choice is a usage error that lists the right ones.
func (a *app) checkChosen(ctx context.Context, k keptCatalog, agent string, s session.Settings, wait bool) error {
	wrong := a.lookAtChosen(ctx, k, agent, s, wait)
	if wrong == nil {
		return nil
	}
	text := a.cfg.SourceOf(wrong.key) + ": " + wrong.what
	if len(wrong.good) > 0 {
		text += "; choose one of " + strings.Join(wrong.good, ", ")
	}
	return usagef("%s (parley models asks again)", text)
}

// SettingsProblem is lookAtChosen for the screen.
func (k keptCatalog) SettingsProblem(ctx context.Context, agent string, v session.Settings) string {
	wrong := k.app.lookAtChosen(ctx, k, agent, v, true)
	if wrong == nil || ctx.Err() != nil {
		return ""
	}
	return wrong.what + ": /" + wrong.key + " chooses another"
}

// Quotas returns the newest figures of what is left of the plan, by name.
func (k keptCatalog) Quotas() []session.Quota { return k.seen.Quotas() }
