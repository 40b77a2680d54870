package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// outwardVerbs are what commands are called that change something outside of this machine, or that nothing takes back: the first
// or the second word after a program's name. Of git it is push alone; its others change the repository here.
var outwardVerbs = strings.Fields("push publish unpublish deprecate yank upload deploy undeploy apply destroy delete merge release rollback promote")

// plainOptions say more or less, or try: with other options a rule with a star does not cover an outward command, because they may
// force it, delete with it, or aim it elsewhere.
var plainOptions = strings.Fields("-v --verbose -q --quiet --dry-run --progress --no-progress")

// plainPush are those of git push besides. Tags and an upstream are added, and nothing is replaced.
var plainPush = strings.Fields("-n -u --set-upstream --porcelain --atomic --tags --follow-tags")

// judgeOutward returns how many words name what a call does that changes something outside of this machine, 0 for others, and why
// a rule with a star does not cover it, "" if it does: words that are known, options from a list, and, for git push, refs that are
// neither forced nor deleted nor renamed.
func judgeOutward(name string, args []shell.Word) (words int, beyond string) {
	at := slices.IndexFunc(args[:min(2, len(args))], func(w shell.Word) bool { return slices.Contains(outwardVerbs, w.Text) })
	git := name == "git"
	if at < 0 || git && (at > 0 || args[0].Text != "push") {
		return 0, ""
	}
	for _, w := range args[at+1:] {
		text := w.Text
		switch {
		case !w.Known:
			return at + 2, "what it changes outside of this machine is computed"
		case strings.HasPrefix(text, "-") && !slices.Contains(plainOptions, text) && (!git || !slices.Contains(plainPush, text)):
			return at + 2, text + " may change what the rule does not say"
		case git && (strings.HasPrefix(text, "+") || strings.Contains(text, ":")):
			return at + 2, text + " may replace or delete what others have"
		}
	}
	return at + 2, ""
}
