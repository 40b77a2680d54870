package program

import (
	"path"
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// Care lists the dangers to think about before a call runs. Its zero value is an ordinary call.
type Care struct {
	// Why is it in a few words, "" for nothing.
	Why string
	// Danger reports that the call forces, deletes or ends what nothing brings back, or acts with other rights.
	Danger bool
}

// The reasons of a [Care].
const (
	leaves  = "leaves this machine"
	lost    = "cannot be undone"
	rights  = "acts as another user"
	Unknown = "runs what it reads"
)

// Or returns the graver of two.
func (c Care) Or(other Care) Care {
	if c.Why == "" || other.Danger && !c.Danger {
		return other
	}
	return c
}

// CareFor returns what there is to think about before a call runs. words are its name, which need not be known, and its arguments.
// It is for the eyes of the user: nothing is allowed because of it.
func CareFor(words []shell.Word) (found Care) {
	if len(words) == 0 || !words[0].Known {
		return Care{}
	}
	name, args := path.Base(words[0].Text), words[1:]
	u := Judge(words)
	if u.Safe {
		return Care{}
	}
	if u.Inner != nil {
		return CareFor(u.Inner)
	}
	switch {
	case among(strings.Fields("sudo doas su pkexec runuser"), name):
		found = Care{rights, true}
	case isLost(name, args):
		found = Care{lost, true}
	case u.Removes:
		found = Care{lost, true}
	case u.Outward:
		found = Care{leaves, name == "git" && u.Beyond != "" || slices.ContainsFunc(args, isForce)}
	}
	if u.Launcher { // what it runs stands behind, as words or as a text
		for i, w := range args {
			if strings.ContainsAny(w.Text, " \n;|&") {
				found = found.Or(CareForText(w.Text))
			} else if w.Known && (i == 0 || !strings.HasPrefix(w.Text, "-")) && among(starts, w.Text) {
				found = found.Or(CareFor(args[i:]))
			}
		}
	}
	return found
}

// CareForText is [CareFor] for the text of a line that cannot be read as a whole: it takes the words between its signs for calls.
func CareForText(text string) (found Care) {
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(";|&()`\n{}", c) }) {
		var words []shell.Word
		for word := range strings.FieldsSeq(part) {
			if len(words) > 0 || !strings.Contains(word, "=") && !among(strings.Fields("if then else elif do while until ! time $"), word) {
				words = append(words, shell.Lit(strings.Trim(word, `"'\`)))
			}
		}
		if len(words) > 0 && words[0].Text != "" {
			found = found.Or(CareFor(words))
		}
	}
	return found
}

// starts are the programs that [CareFor] looks for behind one that runs what its arguments say.
var starts = strings.Fields("rm git gh glab docker kubectl terraform npm cargo aws gcloud az curl ssh scp rsync dd shred find sudo psql")

// forces are options that force, delete or ask no more.
var forces = strings.Fields("--force --force- --delete --del --all --prune --prune- --mirror --recursive --auto-approve --admin --hard --yes --cascade --no-preserve-root")

func isForce(w shell.Word) bool {
	name, _, _ := strings.Cut(w.Text, "=")
	return among(forces, name)
}

// lostGit are the commands of git that lose what is not committed, or what is committed nowhere else, with the words that make them.
var lostGit = map[string]string{
	"reset": "--hard --merge --keep", "clean": "-f --force -fd -fdx -df -xdf -xfd -fx -xf -dfx -ffdx -ffd -ff", "checkout": "-f --force -- .", "switch": "-f --force --discard-changes -C",
	"restore": "* ", "branch": "-D -d --delete -f --force -M", "tag": "-d --delete -f --force", "stash": "drop clear", "reflog": "expire delete", "gc": "--prune --prune=now --aggressive",
	"update-ref": "-d --stdin", "filter-branch": "*", "filter-repo": "*", "worktree": "-f --force remove prune", "prune": "*", "rm": "-r -f -rf -fr --force", "submodule": "-f --force deinit",
}

// isLost reports whether a call that stays on this machine deletes or overwrites what nothing brings back.
func isLost(name string, args []shell.Word) bool {
	has := func(words string) bool {
		return slices.ContainsFunc(args, func(w shell.Word) bool { return slices.Contains(strings.Fields(words), w.Text) })
	}
	switch name {
	case "shred", "dd", "wipefs", "fdisk", "parted", "shutdown", "reboot", "halt", "poweroff", "killall", "pkill":
		return true
	case "rm":
		return slices.ContainsFunc(args, func(w shell.Word) bool {
			return !w.Known || w.Home || strings.HasPrefix(w.Text, "--rec") || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, "rR")
		})
	case "find":
		return has("-delete") || has("rm") && has("-exec -execdir -ok")
	case "rsync":
		return slices.ContainsFunc(args, func(w shell.Word) bool { return strings.HasPrefix(w.Text, "--del") })
	case "docker", "podman", "nerdctl":
		return has("prune") || has("volume") && has("rm") || has("rm rmi") && has("-f --force -v")
	case "psql", "sqlite3", "mysql", "mariadb":
		return slices.ContainsFunc(args, func(w shell.Word) bool {
			text := strings.ToLower(w.Text)
			return strings.Contains(text, "drop ") || strings.Contains(text, "truncate ") || strings.Contains(text, "delete from")
		})
	case "git":
		for i, w := range args {
			if lost, ok := lostGit[w.Text]; ok && w.Known {
				rest := args[i+1:]
				keeps := w.Text == "restore" && slices.ContainsFunc(rest, func(w shell.Word) bool { return w.Text == "--staged" || w.Text == "-S" }) && !has("--worktree -W")
				return !keeps && (strings.HasPrefix(lost, "*") || has(lost))
			}
			if !strings.HasPrefix(w.Text, "-") && (i == 0 || args[i-1].Text != "-C" && args[i-1].Text != "-c") {
				return false
			}
		}
	}
	return strings.HasPrefix(name, "mkfs")
}
