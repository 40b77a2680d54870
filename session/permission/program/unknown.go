package program

import (
	"strings"

	"parley/session/permission/shell"
)

// unknownLong are options that sound like starting something, writing a file or taking settings from one, as programs that
// the tables do not know spell them. They count with one dash and with two, abbreviated, and with "-" after them.
const unknownLong = "exec execute command commands cmd run runner shell eval evaluate script scripts plugin plugins load require import preload hook hooks" +
	" init rc rcfile config configuration conf configfile settings output out outfile outdir write save log-file logfile log dump export chdir directory cwd dir" +
	" root prefix pager editor viewer browser opener open rsh ssh proxy-command interpreter compiler linker loader wrapper launcher program to-command" +
	" use-compress-program pre post before after on-success on-error on-change filter-command formatter-command callback handler tool tools-dir in-place inplace" +
	" cache-dir extension extensions module modules macro include rules rulesdir resolver transform transformer setup teardown global-setup environment env env-file" +
	" from-file options-file response-file record trace-file profile-file pidfile daemon socket listen upload delete remove"

// unknown judges a program that is in no table: a rule covers it, but no argument that sounds like starting something or
// writing a file, that is the name of a launcher, or that may turn into an option.
func unknown(_ string, args []shell.Word) Use {
	var u Use
	for i, w := range args {
		switch {
		case !w.Known && !w.Sure():
			u.Asked = "an argument may turn into an option"
		case w.Known && w.Text == "." && i == len(args)-1: // the directory, because there is nothing that it could run
		case isUnknownBad(w.Text):
			u.Asked = "the option " + w.Text + " may start or write something"
		case w.Text != "" && w.Text[0] != '-' && isLauncher(w.Text) && w.Known && !strings.ContainsAny(w.Text, "=:"):
			u.Asked = w.Text + " runs what its arguments say"
		case strings.ContainsAny(w.Text, "`;|&<>\n") || strings.Contains(w.Text, "$("):
			u.Asked = "an argument looks like a command line"
		}
	}
	return u
}

func isUnknownBad(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(word, "-")), "=")
	if word[1] != '-' && strings.IndexByte("coeCE", word[1]) >= 0 && len(word) > 1 {
		return true
	}
	for _, bad := range strings.Fields(unknownLong) {
		if name == bad || strings.HasPrefix(name, bad+"-") || strings.HasSuffix(name, "-"+bad) || strings.HasPrefix(name, bad+":") || strings.HasPrefix(name, bad+".") ||
			len(name) > 2 && strings.HasPrefix(word, "--") && strings.HasPrefix(bad, name) {
			return true
		}
	}
	return false
}
