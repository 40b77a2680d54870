package clienttools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley/session"
)

const diffName = "show_diff"

// maxDiff bounds a diff that is shown, in bytes.
const maxDiff = 200_000

// The answers to a diff. The user can also write what to change.
const (
	looksGood   = "Looks good"
	changeFirst = "Change something"
)

// differ returns the tool that shows the user changes and gives what they say about them.
func differ(diff func(ctx context.Context, id session.ID, dir string, files []string) (string, error), o session.OpenOptions) session.ClientTool {
	return session.ClientTool{
		Name: diffName,
		Description: "Shows the user a diff and gives their comments. Without diff it shows what this session changed in files, which is " +
			"read from the disk: use it when the user wants to look at the changes before you go on. With diff it shows a proposal. Do not " +
			"use it after every edit: the user sees those.",
		Schema: []byte(`{"type":"object","properties":{` +
			`"message":{"type":"string","description":"What to look at, in one or two sentences"},` +
			`"files":{"type":"array","items":{"type":"string"},"description":"Files of which the changes are shown; without it, all"},` +
			`"diff":{"type":"string","description":"A unified diff that is shown in place of the changes on the disk"}},` +
			`"required":["message"],"additionalProperties":false}`),
		Reads: true,
		Call: func(ctx context.Context, c session.ClientCall) (session.ToolResult, error) {
			var in struct {
				Message string   `json:"message"`
				Files   []string `json:"files"`
				Diff    string   `json:"diff"`
			}
			if err := decode(c.Input, &in); err != nil {
				return session.ToolResult{}, err
			}
			message := strings.TrimSpace(in.Message)
			if message == "" {
				return session.ToolResult{}, errors.New("message is empty: write what to look at")
			}
			text := in.Diff
			if strings.TrimSpace(text) == "" {
				var err error
				if text, err = diff(ctx, o.Session, o.Dir, in.Files); err != nil {
					return session.ToolResult{}, fmt.Errorf("read the changes: %w", err)
				}
			}
			if strings.TrimSpace(text) == "" {
				return session.ToolResult{}, errors.New("this session has not changed these files: give a diff to show a proposal")
			}
			shown := fenced(text)
			a := c.Ask(ctx, session.QuestionAsk{Questions: []session.Question{{Text: message, Header: "Changes", Free: true,
				Options: []session.QuestionOption{{Label: looksGood, Preview: shown}, {Label: changeFirst, Preview: shown}}}}})
			return session.ToolResult{Text: answered(message, a)}, nil
		},
	}
}

// fenced returns a diff as markdown, cut at the bound.
func fenced(diff string) string {
	cut := ""
	if len(diff) > maxDiff {
		diff, cut = strings.ToValidUTF8(diff[:maxDiff], ""), "\n\nThe rest is not shown. /changes has all of it."
	}
	fence := "```"
	for strings.Contains(diff, fence) {
		fence += "`"
	}
	return fence + "diff\n" + strings.TrimSuffix(diff, "\n") + "\n" + fence + cut
}
