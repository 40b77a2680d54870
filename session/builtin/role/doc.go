// Package role has the kinds of agents that the builtin agent can be: its own, those that children are of, and custom agents.
//
// In come custom agents and lists of models and tools. Out go roles, with what begins their system prompts and which tools and model
// they get, and the tool that starts children. It runs nothing. It may import session, session/agentfiles, session/builtin/form,
// session/builtin/shell, session/builtin/tool, session/builtin/wire and session/toolview.
package role
