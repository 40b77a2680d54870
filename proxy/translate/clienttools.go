package translate

import "strings"

// clientTool is a tool that the client runs and that Anthropic's models know by its type, without a schema.
type clientTool struct{ description, parameters string }

// clientTools describe such tools to other models, with the input that the client expects, by family without the date.
var clientTools = map[string]clientTool{
	"bash": {
		"Run a command in a persistent bash session, or restart the session.",
		`{"type":"object","properties":{` +
			`"command":{"type":"string","description":"The command to run. Not needed with restart."},` +
			`"restart":{"type":"boolean","description":"Start the session anew."}}}`,
	},
	"text_editor": {
		"View, create and edit text files.",
		`{"type":"object","properties":{` +
			`"command":{"type":"string","enum":["view","create","str_replace","insert"]},` +
			`"path":{"type":"string","description":"The file or directory."},` +
			`"file_text":{"type":"string","description":"create: the whole content."},` +
			`"old_str":{"type":"string","description":"str_replace: the text to replace, which must occur once."},` +
			`"new_str":{"type":"string","description":"str_replace: what to put there."},` +
			`"insert_line":{"type":"integer","description":"insert: the line after which to insert, 0 for the beginning."},` +
			`"insert_text":{"type":"string","description":"insert: what to insert."},` +
			`"view_range":{"type":"array","items":{"type":"integer"},"description":"view: first and last line, -1 for the end."}` +
			`},"required":["command","path"]}`,
	},
	"memory": {
		"Keep notes in files below /memories, across conversations.",
		`{"type":"object","properties":{` +
			`"command":{"type":"string","enum":["view","create","str_replace","insert","delete","rename"]},` +
			`"path":{"type":"string"},"file_text":{"type":"string"},"old_str":{"type":"string"},"new_str":{"type":"string"},` +
			`"insert_line":{"type":"integer"},"insert_text":{"type":"string"},` +
			`"old_path":{"type":"string"},"new_path":{"type":"string"},` +
			`"view_range":{"type":"array","items":{"type":"integer"}}},"required":["command"]}`,
	},
}

// toolFamily returns the type of a tool without its date.
func toolFamily(typ string) string {
	i := strings.LastIndexByte(typ, '_')
	if i < 0 || len(typ)-i != 9 || strings.Trim(typ[i+1:], "0123456789") != "" {
		return typ
	}
	return typ[:i]
}
