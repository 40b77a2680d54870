package permission

import (
	"slices"
	"strings"
)

// program is a command that a rule may allow.
type program struct {
	words []string // that a line begins with
	does  string   // what a rule allows with it, in words
	alone bool     // it takes no arguments but options
	// options are the words beginning with a dash that it may be given, those with a value up to their "=". letters are
	// the options of one letter, which may stand together.
	options []string
	letters string
	numbers bool // -20 is an option
}

// programs are the commands that a rule may allow. The list is short on purpose: each of them starts no other program and
// writes no file, whatever plain words follow, as long as its options are among those listed. Programs that take commands
// from arguments or from files of the project are not in it, however common: find, xargs, sed, sort, diff, make, npm.
//
// go test is the exception that people need. It runs the project's own tests, which is what whoever allows it wants, and
// the rule says so; what would have it run or write anything else (-exec, -toolexec, -o, -c, profiles, -args) is asked.
// git reads a configuration that names programs, so [Policy.Git] has to agree each time.
var programs = []*program{
	{words: []string{"pwd"}, does: "which names the working directory", alone: true, letters: "LP"},
	{words: []string{"ls"}, does: inDirs, letters: "1aAdFghilnoprRsStU"},
	{words: []string{"cat"}, does: inDirs, letters: "AbeEnstTv"},
	{words: []string{"head"}, does: inDirs, letters: "nqv", numbers: true},
	{words: []string{"tail"}, does: inDirs, letters: "nqv", numbers: true},
	{words: []string{"wc"}, does: inDirs, letters: "clLmw"},
	{words: []string{"du"}, does: inDirs, letters: "achkms"},
	{words: []string{"git", "status"}, does: gitReads, letters: "sbv",
		options: []string{"--short", "--branch", "--porcelain", "--long", "--ignored", "--show-stash", "-uno", "-uall"}},
	{words: []string{"git", "diff"}, does: gitReads, letters: "bpsw", options: gitShows},
	{words: []string{"git", "log"}, does: gitReads, letters: "bnpsw", numbers: true, options: slices.Concat(gitShows, []string{
		"--oneline", "--graph", "--decorate", "--all", "--reverse", "--merges", "--no-merges", "--first-parent", "--follow",
		"--since=", "--until=", "--author=", "--max-count="})},
	{words: []string{"git", "show"}, does: gitReads, letters: "bpsw", options: slices.Concat(gitShows, []string{"--oneline"})},
	{words: []string{"go", "vet"}, does: "on packages of this project"},
	{words: []string{"go", "test"}, does: "which runs this project's tests", letters: "v", options: []string{
		"-race", "-short", "-failfast", "-json", "-cover", "-benchmem", "-fullpath",
		"-run", "-run=", "-skip", "-skip=", "-bench", "-bench=", "-benchtime", "-benchtime=", "-count", "-count=", "-timeout", "-timeout=",
		"-parallel", "-parallel=", "-cpu", "-cpu=", "-p", "-p=", "-shuffle", "-shuffle=", "-list", "-list=", "-v=", "-race=", "-short="}},
}

const (
	inDirs   = "on files of this session's directories"
	gitReads = "which reads this repository"
)

// gitShows are options of the git commands that show changes. None has git run or write anything.
var gitShows = []string{"--stat", "--shortstat", "--numstat", "--summary", "--name-only", "--name-status", "--staged", "--cached",
	"--patch", "--no-patch", "--no-color", "--no-ext-diff", "--no-textconv", "--word-diff", "--minimal", "--relative", "--"}

// programOf returns the program that words begin with, nil if it is not in the list.
func programOf(words []string) *program {
	for _, known := range programs {
		if n := len(known.words); len(words) >= n && slices.Equal(words[:n], known.words) {
			return known
		}
	}
	return nil
}

// takes reports whether the program may be given an option.
func (known *program) takes(option string) bool {
	name, _, valued := strings.Cut(option, "=")
	if valued {
		name += "="
	}
	if slices.Contains(known.options, name) {
		return true
	}
	letters, ok := strings.CutPrefix(option, "-")
	if !ok || letters == "" {
		return false
	}
	return strings.Trim(letters, known.letters) == "" || known.numbers && strings.Trim(letters, "0123456789") == ""
}
