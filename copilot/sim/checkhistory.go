package sim

import (
	"fmt"
	"slices"
	"strings"

	"parley/copilot/sim/seal"
	"parley/internal/lazyregexp"
)

// checkRoles checks the roles: only user and assistant, the user first.
func checkRoles(c *checked) *problem {
	for i, m := range c.body.Messages {
		switch m.Role {
		case "user", "assistant":
		case "":
			return badRequest(fmt.Sprintf("messages.%d.role: Field required", i))
		default:
			return badRequest(fmt.Sprintf("messages.%d.role: Input should be 'user' or 'assistant'", i))
		}
	}
	if c.body.Messages[0].Role != "user" {
		return badRequest("messages: first message must use the \"user\" role")
	}
	return nil
}

// blockTypes lists the blocks that a role may send.
var blockTypes = map[string][]string{
	"user": {"text", "image", "document", "tool_result", "search_result", "container_upload"},
	"assistant": {"text", "thinking", "redacted_thinking", "tool_use", "server_tool_use", "tool_search_tool_result",
		"compaction"},
}

// checkBlocks checks each content block.
func checkBlocks(c *checked) *problem {
	last := len(c.body.Messages) - 1
	for i, m := range c.body.Messages {
		if len(m.Blocks) == 0 && !(i == last && m.Role == "assistant") {
			return badRequest(fmt.Sprintf("messages.%d: all messages must have non-empty content except for the optional "+
				"final assistant message", i))
		}
		for j, blk := range m.Blocks {
			path := fmt.Sprintf("messages.%d.content.%d", i, j)
			if !slices.Contains(blockTypes[m.Role], blk.Type) {
				return badRequest(fmt.Sprintf("%s: Input tag '%s' found using 'type' does not match any of the expected tags",
					path, blk.Type))
			}
			if blk.Type == "text" {
				if p := checkText(blk.Text, m.Plain, i); p != nil {
					return p
				}
			}
			if blk.Type == "tool_use" && !toolID.MatchString(blk.ID) {
				return badRequest(path + ".tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
			}
			if blk.Type == "tool_use" && !strings.HasPrefix(strings.TrimSpace(string(blk.Input)), "{") {
				return badRequest(path + ".tool_use.input: Input should be a valid dictionary")
			}
		}
	}
	for _, blk := range c.body.System {
		if blk.Text == "" {
			return badRequest("system: text content blocks must be non-empty")
		}
	}
	return nil
}

var toolID = lazyregexp.New(`^[a-zA-Z0-9_-]+$`)

// checkText refuses blank text.
func checkText(text string, plain bool, message int) *problem {
	switch {
	case text == "" && plain:
		return badRequest(fmt.Sprintf("messages.%d: user messages must have non-empty content", message))
	case text == "":
		return badRequest("messages: text content blocks must be non-empty")
	case strings.TrimSpace(text) == "":
		return badRequest("messages: text content blocks must contain non-whitespace text")
	}
	return nil
}

// checkImages refuses images that the service would have to fetch.
func checkImages(c *checked) *problem {
	for _, m := range c.body.Messages {
		for _, blk := range m.Blocks {
			for _, b := range append(blk.Content[:len(blk.Content):len(blk.Content)], blk) {
				if b.Type == "image" && b.Source != nil && b.Source.Type == "url" {
					return refusal("invalid_request_body", "messages", "external image URLs are not supported")
				}
			}
		}
	}
	return nil
}

// checkPairing requires that the next message answers each tool call, exactly once, and that no result lacks its call.
func checkPairing(c *checked) *problem {
	used := map[string]bool{}
	for i, m := range c.body.Messages {
		if p := checkResults(c.body.Messages, i); p != nil {
			return p
		}
		var open []string
		for j, blk := range m.Blocks {
			if blk.Type != "tool_use" {
				continue
			}
			if used[blk.ID] {
				return badRequest(fmt.Sprintf("messages.%d.content.%d: `tool_use` ids must be unique", i, j))
			}
			used[blk.ID] = true
			if i+1 >= len(c.body.Messages) || !answers(c.body.Messages[i+1], blk.ID) {
				open = append(open, blk.ID)
			}
		}
		if len(open) > 0 {
			return badRequest(fmt.Sprintf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately "+
				"after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
				i, strings.Join(open, ", ")))
		}
	}
	return nil
}

// checkResults requires that the results of one message answer calls of the message before.
func checkResults(messages []Message, i int) *problem {
	seen := map[string]bool{}
	for j, blk := range messages[i].Blocks {
		if blk.Type != "tool_result" {
			continue
		}
		if seen[blk.ToolUseID] {
			return badRequest(fmt.Sprintf("messages.%d.content.%d: each tool_use must have a single result. Found multiple "+
				"`tool_result` blocks with id: %s", i, j, blk.ToolUseID))
		}
		seen[blk.ToolUseID] = true
		if i == 0 || !calls(messages[i-1], blk.ToolUseID) {
			return badRequest(fmt.Sprintf("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: "+
				"%s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
				i, j, blk.ToolUseID))
		}
	}
	return nil
}

func answers(m Message, id string) bool {
	return slices.ContainsFunc(m.Blocks, func(b Block) bool { return b.Type == "tool_result" && b.ToolUseID == id })
}

func calls(m Message, id string) bool {
	return slices.ContainsFunc(m.Blocks, func(b Block) bool { return b.Type == "tool_use" && b.ID == id })
}

// checkSignatures refuses reasoning blocks that were changed or come from elsewhere. It cannot check blocks whose text
// was not shown.
func checkSignatures(c *checked) *problem {
	for i, m := range c.body.Messages {
		for j, blk := range m.Blocks {
			if blk.Type == "thinking" && (blk.Signature == "" || blk.Thinking != "" && blk.Signature != seal.Sign(blk.Thinking)) {
				return badRequest(fmt.Sprintf("messages.%d.content.%d: Invalid `signature` in `thinking` block", i, j))
			}
		}
	}
	return nil
}

func checkPrefill(c *checked) *problem {
	last := c.body.Messages[len(c.body.Messages)-1]
	if last.Role != "assistant" {
		return nil
	}
	if !c.model.Prefill {
		return badRequest("This model does not support assistant message prefill. The conversation must end with a user message.")
	}
	if n := len(last.Blocks); n > 0 && last.Blocks[n-1].Type == "text" &&
		strings.TrimRight(last.Blocks[n-1].Text, " \t\n") != last.Blocks[n-1].Text {
		return badRequest("messages: final assistant content cannot end with trailing whitespace")
	}
	return nil
}
