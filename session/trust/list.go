package trust

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/session"
)

// The kinds of items.
const (
	kindSettings     = "settings"
	kindHook         = "hook"
	kindServer       = "mcp server"
	kindPlugin       = "plugin"
	kindInstructions = "instructions"
	kindAgent        = "agent"
	kindSkill        = "skill"
	kindCommand      = "command"
)

// maxText bounds the name or the command of an item, in bytes. A longer text is cut and gets a digest of the whole,
// which shows that text is hidden and changes with it.
const maxText = 2000

// maxItems bounds the items of a list. One last item stands for the rest.
const maxItems = 1000

// list collects items, and hidden values that matter without being shown: when they change, the user is asked again.
type list struct {
	items  []session.RepositoryItem
	hidden []string
}

// add adds an item. hidden are further values that belong to it.
func (l *list) add(kind, name, path, runs string, hidden ...string) {
	i := session.RepositoryItem{Kind: kind, Name: short(name), Path: path, Runs: short(runs)}
	l.items = append(l.items, i)
	if len(hidden) > 0 {
		l.hidden = append(l.hidden, kind+"\x00"+name+"\x00"+path+"\x00"+strings.Join(hidden, "\x00"))
	}
}

// unreadable adds an item for an existing file that could not be parsed.
func (l *list) unreadable(kind, path string, why string, hidden string) {
	l.add(kind, why, path, "", hidden)
}

// ranks are the kinds in the order of a list: what runs comes first. Other kinds come last.
var ranks = []string{kindSettings, kindHook, kindServer, kindPlugin, kindAgent, kindSkill, kindCommand, kindInstructions}

// sort puts the items in the order of their kinds and files.
func (l *list) sort() {
	rank := func(i session.RepositoryItem) int {
		if n := slices.Index(ranks, i.Kind); n >= 0 {
			return n
		}
		return len(ranks)
	}
	slices.SortStableFunc(l.items, func(a, b session.RepositoryItem) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Path, b.Path))
	})
}

// bounded returns the list without duplicates, cut to a readable length. The rest still counts for the sum.
func (l *list) bounded() []session.RepositoryItem {
	seen := map[session.RepositoryItem]bool{}
	var items []session.RepositoryItem
	for _, i := range l.items {
		if !seen[i] {
			items = append(items, i)
		}
		seen[i] = true
	}
	if len(items) > maxItems {
		rest := len(items) - maxItems
		items = append(items[:maxItems:maxItems], session.RepositoryItem{Kind: kindSettings,
			Name: fmt.Sprintf("and %d more, which are not listed", rest), Path: items[maxItems].Path})
	}
	return items
}

// sum returns the digest of everything found, shown or not, in any order.
func (l *list) sum() string {
	parts := slices.Clone(l.hidden)
	for _, i := range l.items {
		text, err := json.Marshal(i)
		if err != nil {
			panic(err) // a struct of strings always marshals
		}
		parts = append(parts, string(text))
	}
	slices.Sort(parts)
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// short cuts a text that is too long.
func short(s string) string {
	if len(s) <= maxText {
		return s
	}
	cut := maxText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s... (%d bytes, sha256 %s)", s[:cut], len(s), digest(s))
}

// digest returns a short digest, to compare two hidden values.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}
