package search

import (
	"encoding/json"
	"strconv"
	"strings"

	"parley/session/builtin/tool/tooltest"
)

func encoded(in tooltest.Obj) []byte {
	raw, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	return raw
}

// ripgrepArgs returns the arguments of ripgrep that do what a call does.
func ripgrepArgs(in tooltest.Obj) []string {
	args := []string{"--no-config", "--hidden", "--color", "never", "--no-heading", "--no-messages", "--crlf"}
	switch in["output_mode"] {
	case "content":
		args = append(args, "-n")
	case "count":
		args = append(args, "-c", "--with-filename")
	default:
		args = append(args, "-l")
	}
	if in["-i"] == true {
		args = append(args, "-i")
	}
	for _, name := range []string{"-A", "-B", "-C"} {
		if n, ok := in[name].(int); ok {
			args = append(args, name, strconv.Itoa(n))
		}
	}
	if glob, ok := in["glob"].(string); ok {
		for one := range strings.FieldsSeq(glob) {
			args = append(args, "--glob", one)
		}
	}
	if name, ok := in["type"].(string); ok {
		args = append(args, "--type", name)
	}
	if in["multiline"] == true {
		args = append(args, "-U", "--multiline-dotall")
	}
	return append(args, "--glob", "!.git", "-e", in["pattern"].(string))
}
