package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
)

// typescriptOptions name the compiler beside the server, so that a project cannot bring another one, and keep it from
// installing types.
func typescriptOptions(path string) map[string]any {
	o := map[string]any{"disableAutomaticTypingAcquisition": true, "hostInfo": "parley",
		"preferences": map[string]any{"providePrefixAndSuffixTextForRename": false}} // a rename reaches through imports
	if lib := compilerBeside(path); lib != "" {
		o["tsserver"] = map[string]any{"path": lib}
	}
	return o
}

// compilerBeside returns the tsserver that is installed with a language server, "" for none.
func compilerBeside(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(real); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		lib := filepath.Join(dir, "node_modules", "typescript", "lib", "tsserver.js")
		if info, err := os.Stat(lib); err == nil && info.Mode().IsRegular() {
			return lib
		}
	}
	return ""
}

// typescriptPull asks the compiler itself for the errors of a document: the server between publishes nothing for a document
// that had no errors and still has none.
func typescriptPull(call func(method string, params, result any) error, path string) ([]diagnostic, error) {
	var out []diagnostic
	for _, command := range []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"} {
		var answer struct {
			Body []struct {
				Start, End struct{ Line, Offset uint32 }
				Text       string
				Code       int
				Category   string
			}
		}
		if err := call("workspace/executeCommand", map[string]any{"command": "typescript.tsserverRequest",
			"arguments": []any{command, map[string]string{"file": uriOf(path)}}}, &answer); err != nil {
			return nil, err
		}
		for _, d := range answer.Body {
			s := map[string]severity{"error": severityError, "warning": severityWarning}[d.Category]
			if s == 0 {
				continue // a suggestion
			}
			one := diagnostic{Severity: s, Code: json.RawMessage(strconv.Itoa(d.Code)), Message: d.Text, Source: "typescript"}
			one.Range.Start = position{max(d.Start.Line, 1) - 1, max(d.Start.Offset, 1) - 1}
			out = append(out, one)
		}
	}
	return out, nil
}
