package trust

import (
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

// maxText is how long a name or a command of an item may be, in bytes. What is longer is cut, with a sum of the whole, so
// that the user sees that something is hidden and a change of it is noticed.
const maxText = 2000

// maxItems is how many items a list may have. Nobody reads more; the rest is one item that says so.
const maxItems = 1000

// list gathers items, and beside them what matters without being shown: a change of it makes the user be asked again.
type list struct {
	items  []session.RepositoryItem
	hidden []string
}

// add adds an item. hidden are values that belong to it.
func (l *list) add(kind, name, path, runs string, hidden ...string) {
	i := session.RepositoryItem{Kind: kind, Name: short(name), Path: path, Runs: short(runs)}
	l.items = append(l.items, i)
	if len(hidden) > 0 {
		l.hidden = append(l.hidden, kind+"\x00"+name+"\x00"+path+"\x00"+strings.Join(hidden, "\x00"))
	}
}

// unreadable adds an item for a file that is there and could not be understood.
func (l *list) unreadable(kind, path string, why string, hidden string) {
	l.add(kind, why, path, "", hidden)
}

// bounded returns the list without doubles and cut to what can be read. The rest still counts for the sum.
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

// sum is of everything that was found, shown or not, in any order.
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

// digest is a short sum, to see whether two hidden things are the same.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}
