// Package search lets clients of the Messages API search the web: the Copilot API does not run Anthropic's hosted web search, but
// its GPT models have one of their own behind the Responses API.
//
// In come the body of a request whose only tool is the hosted search, as Claude Code 2.1 sends it for one query, and the answer of a
// GPT model. Out go the request for that model, and the message with the blocks that Anthropic's search makes: server_tool_use,
// web_search_tool_result and text, whole or as events. The domains of a request are told to the model and enforced on what it names.
//
// It is pure, and imports nothing of this program. Behaviour follows web_search_20250305 of the Messages API, version 2023-06-01, and
// the tool web_search of the Responses API as the Copilot API served it in 2026.
package search
