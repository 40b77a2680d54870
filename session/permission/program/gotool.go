package program

import (
	"path"
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// goTest are the options of "go vet" and "go test" that have go run and write nothing but the tests of the project.
var goTest = strings.Fields(`v race short failfast json cover benchmem fullpath run skip bench benchtime count timeout parallel cpu p shuffle list`)

// goValued are those of them with a value in the next word.
var goValued = strings.Fields(`run skip bench benchtime count timeout parallel cpu p shuffle list tags`)

// goBuild are options of the other commands of go that start and write nothing else.
var goBuild = strings.Fields(`v race trimpath a x n tags p json m u f deps test find e w s l d html diff`)

// judgeGo judges calls of go. What "go test" compiles and runs is the project's own, which is what a rule for it says.
func judgeGo(name string, args []shell.Word) Use {
	u := Use{Known: true, Needs: 1}
	if len(args) == 0 || !args[0].Known {
		u.Asked = "what go does is computed"
		return u
	}
	command, args := args[0].Text, args[1:]
	options := goBuild
	switch command {
	case "version", "env":
		u.Asked = quietGo(command, args)
		u.Safe = u.Asked == ""
		return u
	case "doc":
		if u.Asked = quietGo(command, args); u.Asked == "" {
			u.Safe = true
			return u
		}
	case "vet":
		options = nil
	case "test":
		options = goTest
	case "build", "list", "fmt", "fix":
	case "mod", "get", "install", "generate", "run", "work", "clean":
		u.Needs = 2
	default:
		u.Asked = "go " + command + " runs what its arguments say"
		return u
	}
	if command == "install" || command == "get" {
		options = nil
	}
	if command == "mod" || command == "work" {
		return judgeGoMod(u, args)
	}
	local := command != "get" && command != "install"
	u.Asked = goArguments(command, args, options, local)
	return u
}

// goArguments returns why arguments of go are asked about.
func goArguments(command string, args []shell.Word, options []string, local bool) string {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.Known {
			return "an argument may turn into an option"
		}
		if !strings.HasPrefix(w.Text, "-") {
			if path.IsAbs(w.Text) || slices.Contains(strings.Split(w.Text, "/"), "..") || w.Text == "~" || w.Home || strings.Contains(w.Text, "@") && local {
				return w.Text + " is not part of the project"
			}
			if command == "run" {
				if !strings.HasPrefix(w.Text, ".") && !strings.HasSuffix(w.Text, ".go") {
					return w.Text + " is not part of the project"
				}
				return "" // what follows goes to the project's own program
			}
			continue
		}
		option, _, valued := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(w.Text, "-"), "-"), "=")
		if !slices.Contains(options, option) || strings.HasPrefix(w.Text, "---") || strings.HasPrefix(w.Text, "--") && command == "test" {
			return "the option " + w.Text + " may start or write something"
		}
		if !valued && slices.Contains(goValued, option) || option == "f" && !valued {
			i++
			if i >= len(args) || !args[i].Known || strings.HasPrefix(args[i].Text, "-") {
				return "the option " + w.Text + " lacks its value"
			}
		}
	}
	return ""
}

// quietGo judges a command of go by its table.
func quietGo(command string, args []shell.Word) string {
	for i := range goQuiet {
		if goQuiet[i].Names == command {
			return goQuiet[i].judge(command, args).Asked
		}
	}
	return "go " + command + " is not known to only read"
}

// judgeGoMod judges "go mod" and "go work".
func judgeGoMod(u Use, args []shell.Word) Use {
	if len(args) == 0 || !args[0].Known || !slices.Contains([]string{"tidy", "download", "verify", "why", "graph", "vendor", "sync"}, args[0].Text) {
		u.Asked = "it may change what go runs"
		return u
	}
	for _, w := range args[1:] {
		if !w.Known || strings.HasPrefix(w.Text, "-") && w.Text != "-v" && w.Text != "-m" {
			u.Asked = "the option " + w.Text + " may start or write something"
		}
	}
	return u
}
