package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"parley/internal/human"
)

// gaps are the reasons why a comparison may miss changes.
type gaps struct {
	cancelled, late, many, deep, index, home bool
	unread, mounted                          int // directories
}

func (g *gaps) add(o gaps) {
	g.cancelled, g.late, g.many = g.cancelled || o.cancelled, g.late || o.late, g.many || o.many
	g.deep, g.index, g.home = g.deep || o.deep, g.index || o.index, g.home || o.home
	g.unread, g.mounted = max(g.unread, o.unread), max(g.mounted, o.mounted)
}

// unopened takes note of a directory that cannot be opened. One that is not there is whole.
func (g *gaps) unopened(f *folder, err error) {
	f.absent = errors.Is(err, fs.ErrNotExist)
	if f.whole = f.absent; !f.whole {
		g.unread++
	}
}

// words returns the reasons in words, joined; "" if there are none.
func (g gaps) words(o Options) string {
	var all []string
	say := func(is bool, format string, a ...any) {
		if is {
			all = append(all, fmt.Sprintf(format, a...))
		}
	}
	say(g.cancelled, "looking at the files was cancelled")
	say(g.many, "there are more than %s files", human.Number(o.Files))
	say(g.late, "looking at the files takes longer than %v", o.Time.Round(time.Millisecond))
	say(g.home, "directories inside the home directory or / are not watched when it is the session's directory")
	say(g.deep, "directories are more than %d levels deep", deepest)
	say(g.index, "git's index is in a form that parley does not read")
	say(g.unread == 1, "a directory can't be read")
	say(g.unread > 1, "%d directories can't be read", g.unread)
	say(g.mounted > 0, "directories on other file systems are not watched")
	return strings.Join(all, "; ")
}
