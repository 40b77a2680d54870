package lsp

import (
	"bytes"
	"encoding/json"
	"strings"
)

// position is a place in a document: lines from 0, and UTF-16 code units from 0.
type position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// severity grades a diagnostic.
type severity int

const (
	severityError   severity = 1
	severityWarning severity = 2
)

type diagnostic struct {
	Range    span            `json:"range"`
	Severity severity        `json:"severity"`
	Code     json.RawMessage `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
}

// code returns the code as text, "" for none.
func (d diagnostic) code() string {
	var s string
	if json.Unmarshal(d.Code, &s) == nil {
		return s
	}
	if c := string(bytes.TrimSpace(d.Code)); c != "null" && len(c) < 20 {
		return c
	}
	return ""
}

type publishDiagnostics struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

type documentItem struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId"`
	Version    int    `json:"version"`
	Text       string `json:"text"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
}

type symbol struct {
	Name           string    `json:"name"`
	Detail         string    `json:"detail"`
	Kind           int       `json:"kind"`
	SelectionRange *span     `json:"selectionRange"`
	Location       *location `json:"location"`
	ContainerName  string    `json:"containerName"`
	Children       []symbol  `json:"children"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit is the answer to a rename. Changes of documents and operations on files share a list; the latter have a kind.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes"`
	DocumentChanges []struct {
		Kind         string     `json:"kind"`
		TextDocument documentID `json:"textDocument"`
		Edits        []textEdit `json:"edits"`
	} `json:"documentChanges"`
}

type fileEvent struct {
	URI  string `json:"uri"`
	Type int    `json:"type"`
}

// The types of file events.
const (
	fileCreated = 1
	fileChanged = 2
	fileDeleted = 3
)

// capabilities lists the features of a server, by the names of the protocol.
type capabilities map[string]json.RawMessage

// can reports whether a capability is there: true, or an object.
func (c capabilities) can(name string) bool {
	raw := string(bytes.TrimSpace(c[name]))
	return raw != "" && raw != "false" && raw != "null"
}

// clientCapabilities lists the features that servers may count on.
var clientCapabilities = json.RawMessage(`{
"general":{"positionEncodings":["utf-16"]},
"window":{"workDoneProgress":true},
"workspace":{"workspaceFolders":true,"configuration":true,"applyEdit":false,"workspaceEdit":{"documentChanges":true},
 "didChangeWatchedFiles":{"dynamicRegistration":false},"didChangeConfiguration":{"dynamicRegistration":false},"symbol":{}},
"textDocument":{"synchronization":{"didSave":true},"publishDiagnostics":{"versionSupport":true,"relatedInformation":false},
 "definition":{"linkSupport":true},"implementation":{"linkSupport":true},"references":{},"hover":{"contentFormat":["plaintext","markdown"]},
 "documentSymbol":{"hierarchicalDocumentSymbolSupport":true},"rename":{"prepareSupport":false}}}`)

// locationsOf decodes the answer to a search for places: null, one location, or a list of locations or links.
func locationsOf(raw json.RawMessage) ([]location, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] != '[' {
		raw = bytes.Join([][]byte{[]byte("["), raw, []byte("]")}, nil)
	}
	var list []struct {
		location
		TargetURI            string `json:"targetUri"`
		TargetSelectionRange span   `json:"targetSelectionRange"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	out := make([]location, 0, len(list))
	for _, l := range list {
		if l.TargetURI != "" {
			l.location = location{URI: l.TargetURI, Range: l.TargetSelectionRange}
		}
		out = append(out, l.location)
	}
	return out, nil
}

// hoverText returns the text of a hover: a string, an object with a value, or a list of them.
func hoverText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var object struct {
		Value string `json:"value"`
	}
	if json.Unmarshal(raw, &object) == nil {
		return object.Value
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var parts []string
	for _, one := range list {
		if len(one) > 0 && one[0] != '[' {
			parts = append(parts, hoverText(one))
		}
	}
	return strings.Join(parts, "\n\n")
}

// kindNames are the kinds of symbols, from 1.
var kindNames = [...]string{"", "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor",
	"enum", "interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null",
	"enum member", "struct", "event", "operator", "type parameter"}

func kindName(kind int) string {
	if kind < 1 || kind >= len(kindNames) {
		return "symbol"
	}
	return kindNames[kind]
}
