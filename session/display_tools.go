package session

import (
	"encoding/json"
	"strings"
)

// toolRow is how the calls of one tool read.
type toolRow struct {
	kind                ToolKind
	renderer            Renderer // if it is not that of the kind
	present, past, want string
	// fields are the input's fields that may be the subject; the first that is there is.
	fields []subjectField
	// refine changes the words by the input, for tools that do several things; optional.
	refine func(d *Display, input json.RawMessage)
}

// subjectField names a string in a tool's input.
type subjectField struct {
	name string
	path bool // it is a file or directory
	deep bool // it is found at any depth
}

// fields reads names of the form "name", "path:name" and "deep:name".
func fields(names ...string) []subjectField {
	out := make([]subjectField, len(names))
	for i, n := range names {
		switch what, name, ok := strings.Cut(n, ":"); {
		case !ok:
			out[i] = subjectField{name: n}
		default:
			out[i] = subjectField{name: name, path: what == "path", deep: what == "deep"}
		}
	}
	return out
}

// toolRows are the known tools of all agents. Claude Code and parley's own loop share names and inputs.
var toolRows = map[string]toolRow{
	// parley's own tools, and Claude Code's.
	"Read":         {kind: ToolRead, present: "reading", past: "read", want: "read", fields: fields("path:file_path")},
	"Write":        {kind: ToolEdit, present: "writing", past: "wrote", want: "write", fields: fields("path:file_path")},
	"Edit":         {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:file_path")},
	"MultiEdit":    {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:file_path")},
	"NotebookEdit": {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:notebook_path")},
	"NotebookRead": {kind: ToolRead, present: "reading", past: "read", want: "read", fields: fields("path:notebook_path")},
	"Glob":         {kind: ToolSearch, present: "finding", past: "found", want: "find", fields: fields("pattern")},
	"Grep":         {kind: ToolSearch, present: "searching", past: "searched", want: "search", fields: fields("pattern")},
	"LS":           {kind: ToolSearch, present: "listing", past: "listed", want: "list", fields: fields("path:path")},
	"LSP":          {kind: ToolSearch, present: "looking up", past: "looked up", want: "look up", fields: fields("operation", "path:filePath", "path:file_path")},
	"ToolSearch":   {kind: ToolSearch, present: "looking for tools", past: "looked for tools", want: "look for tools", fields: fields("query")},
	"Bash":         {kind: ToolCommand, present: "running", past: "ran", want: "run", fields: fields("command")},
	"PowerShell":   {kind: ToolCommand, present: "running", past: "ran", want: "run", fields: fields("command")},
	"REPL":         {kind: ToolCommand, present: "running code", past: "ran code", want: "run code", fields: fields("code")},
	"BashOutput":   {kind: ToolRead, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("bash_id")},
	"TaskOutput":   {kind: ToolRead, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("task_id")},
	"KillShell":    {kind: ToolCommand, present: "stopping", past: "stopped", want: "stop", fields: fields("shell_id")},
	"KillBash":     {kind: ToolCommand, present: "stopping", past: "stopped", want: "stop", fields: fields("shell_id")},
	"TaskStop":     {kind: ToolCommand, present: "stopping", past: "stopped", want: "stop", fields: fields("task_id", "shell_id")},
	"Monitor":      {kind: ToolCommand, present: "watching", past: "watched", want: "watch", fields: fields("description", "command")},
	"WebFetch":     {kind: ToolFetch, present: "fetching", past: "fetched", want: "fetch", fields: fields("url")},
	"WebSearch":    {kind: ToolFetch, present: "searching the web for", past: "searched the web for", want: "search the web for", fields: fields("query")},
	"RemoteTrigger": {kind: ToolFetch, present: "using a remote trigger", past: "used a remote trigger", want: "use a remote trigger",
		fields: fields("action")},
	"Agent":            {kind: ToolAgent, present: "delegating", past: "delegated", want: "delegate", fields: fields("description", "subagent_type")},
	"Task":             {kind: ToolAgent, present: "delegating", past: "delegated", want: "delegate", fields: fields("description", "subagent_type")},
	"SendMessage":      {kind: ToolAgent, present: "writing to", past: "wrote to", want: "write to", fields: fields("to", "recipient")},
	"Skill":            {kind: ToolAgent, present: "using the skill", past: "used the skill", want: "use the skill", fields: fields("skill", "command")},
	"SlashCommand":     {kind: ToolAgent, present: "using the command", past: "used the command", want: "use the command", fields: fields("command")},
	"Workflow":         {kind: ToolAgent, present: "running the workflow", past: "ran the workflow", want: "run the workflow", fields: fields("name", "workflow")},
	"AskUserQuestion":  {kind: ToolAsk, present: "asking", past: "asked", want: "ask", fields: fields("deep:question")},
	"EnterPlanMode":    {kind: ToolPlan, present: "entering plan mode", past: "entered plan mode", want: "enter plan mode"},
	"ExitPlanMode":     {kind: ToolPlan, present: "proposing a plan", past: "proposed a plan", want: "go on with the plan"},
	"TodoWrite":        {kind: ToolPlan, present: "updating the task list", past: "updated the task list", want: "update the task list"},
	"TaskCreate":       {kind: ToolPlan, present: "adding the task", past: "added the task", want: "add the task", fields: fields("subject", "description")},
	"TaskUpdate":       {kind: ToolPlan, present: "updating task", past: "updated task", want: "update task", fields: fields("taskId", "subject")},
	"TaskGet":          {kind: ToolPlan, present: "reading task", past: "read task", want: "read task", fields: fields("taskId")},
	"TaskList":         {kind: ToolPlan, present: "reading the task list", past: "read the task list", want: "read the task list"},
	"EnterWorktree":    {kind: ToolCommand, present: "entering the worktree", past: "entered the worktree", want: "enter the worktree", fields: fields("name", "path:path")},
	"ExitWorktree":     {kind: ToolCommand, present: "leaving the worktree", past: "left the worktree", want: "leave the worktree", fields: fields("action")},
	"CronCreate":       {kind: ToolOther, present: "scheduling", past: "scheduled", want: "schedule", fields: fields("prompt", "cron")},
	"CronDelete":       {kind: ToolOther, present: "unscheduling", past: "unscheduled", want: "unschedule", fields: fields("id")},
	"CronList":         {kind: ToolOther, present: "listing schedules", past: "listed schedules", want: "list schedules"},
	"ScheduleWakeup":   {kind: ToolOther, present: "scheduling a wake-up", past: "scheduled a wake-up", want: "schedule a wake-up", fields: fields("reason")},
	"PushNotification": {kind: ToolOther, present: "notifying", past: "notified", want: "notify", fields: fields("message")},
	"ReportFindings":   {kind: ToolOther, present: "reporting findings", past: "reported findings", want: "report findings"},
	"StructuredOutput": {kind: ToolOther, present: "giving the structured answer", past: "gave the structured answer",
		want: "give the structured answer"},
	"ListAgents":           {kind: ToolAgent, present: "listing agents", past: "listed agents", want: "list agents"},
	"ListMcpResourcesTool": {kind: ToolMCP, present: "listing resources", past: "listed resources", want: "list resources", fields: fields("server")},
	"ReadMcpResourceTool":  {kind: ToolMCP, present: "reading the resource", past: "read the resource", want: "read the resource", fields: fields("uri", "server")},

	// The Copilot runtime's tools.
	"bash":             {kind: ToolCommand, present: "running", past: "ran", want: "run", fields: fields("command")},
	"powershell":       {kind: ToolCommand, present: "running", past: "ran", want: "run", fields: fields("command")},
	"local_shell":      {kind: ToolCommand, present: "running", past: "ran", want: "run", fields: fields("command")},
	"write_bash":       {kind: ToolCommand, present: "typing", past: "typed", want: "type", fields: fields("input", "shellId", "sessionId")},
	"write_powershell": {kind: ToolCommand, present: "typing", past: "typed", want: "type", fields: fields("input", "shellId", "sessionId")},
	"read_bash":        {kind: ToolRead, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("shellId", "sessionId")},
	"read_powershell":  {kind: ToolRead, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("shellId", "sessionId")},
	"stop_bash":        {kind: ToolCommand, present: "stopping", past: "stopped", want: "stop", fields: fields("shellId", "sessionId")},
	"stop_powershell":  {kind: ToolCommand, present: "stopping", past: "stopped", want: "stop", fields: fields("shellId", "sessionId")},
	"list_bash":        {kind: ToolRead, present: "listing shells", past: "listed shells", want: "list shells"},
	"list_powershell":  {kind: ToolRead, present: "listing shells", past: "listed shells", want: "list shells"},
	"view":             {kind: ToolRead, present: "reading", past: "read", want: "read", fields: fields("path:path")},
	"create":           {kind: ToolEdit, present: "writing", past: "wrote", want: "write", fields: fields("path:path")},
	"edit":             {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:path")},
	"insert":           {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:path")},
	"apply_patch":      {kind: ToolEdit, present: "patching", past: "patched", want: "patch", fields: fields("path:path")},
	"str_replace":      {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:path")},
	"str_replace_editor": {kind: ToolEdit, present: "editing", past: "edited", want: "edit", fields: fields("path:path"),
		refine: refineEditor},
	"undo_edit":   {kind: ToolEdit, present: "undoing the edit of", past: "undid the edit of", want: "undo the edit of", fields: fields("path:path")},
	"glob":        {kind: ToolSearch, present: "finding", past: "found", want: "find", fields: fields("pattern")},
	"grep":        {kind: ToolSearch, present: "searching", past: "searched", want: "search", fields: fields("pattern")},
	"rg":          {kind: ToolSearch, present: "searching", past: "searched", want: "search", fields: fields("pattern")},
	"lsp":         {kind: ToolSearch, present: "looking up", past: "looked up", want: "look up", fields: fields("operation", "path:file")},
	"web_fetch":   {kind: ToolFetch, present: "fetching", past: "fetched", want: "fetch", fields: fields("url")},
	"fetch":       {kind: ToolFetch, present: "fetching", past: "fetched", want: "fetch", fields: fields("url")},
	"web_search":  {kind: ToolFetch, present: "searching the web for", past: "searched the web for", want: "search the web for", fields: fields("query")},
	"task":        {kind: ToolAgent, present: "delegating", past: "delegated", want: "delegate", fields: fields("description", "agent_type")},
	"read_agent":  {kind: ToolAgent, present: "reading the answer of", past: "read the answer of", want: "read the answer of", fields: fields("agent_id")},
	"write_agent": {kind: ToolAgent, present: "writing to", past: "wrote to", want: "write to", fields: fields("agent_id")},
	"stop_agent":  {kind: ToolAgent, present: "stopping", past: "stopped", want: "stop", fields: fields("agent_id")},
	"list_agents": {kind: ToolAgent, present: "listing agents", past: "listed agents", want: "list agents"},
	"skill":       {kind: ToolAgent, present: "using the skill", past: "used the skill", want: "use the skill", fields: fields("skill")},
	"ask_user":    {kind: ToolAsk, present: "asking", past: "asked", want: "ask", fields: fields("question", "message")},
	"exit_plan_mode": {kind: ToolPlan, present: "proposing a plan", past: "proposed a plan", want: "go on with the plan",
		fields: fields("summary")},
	"update_todo":   {kind: ToolPlan, present: "updating the task list", past: "updated the task list", want: "update the task list"},
	"report_intent": {kind: ToolPlan, present: "intending", past: "intended", want: "say what it intends", fields: fields("intent")},
	"task_complete": {kind: ToolPlan, present: "finishing", past: "finished", want: "finish", fields: fields("summary")},
	"sql":           {kind: ToolPlan, present: "noting", past: "noted", want: "note", fields: fields("description", "query")},
	"store_memory":  {kind: ToolPlan, present: "remembering", past: "remembered", want: "remember", fields: fields("subject", "fact")},
	"vote_memory":   {kind: ToolPlan, present: "judging a memory", past: "judged a memory", want: "judge a memory", fields: fields("fact")},
	"show_file":     {kind: ToolRead, present: "showing", past: "showed", want: "show", fields: fields("path:path")},
	"session_store_sql": {kind: ToolSearch, present: "searching past sessions", past: "searched past sessions", want: "search past sessions",
		fields: fields("description", "query")},
	"tool_search_tool": {kind: ToolSearch, present: "looking for tools", past: "looked for tools", want: "look for tools", fields: fields("pattern", "query")},
	"fetch_copilot_cli_documentation": {kind: ToolRead, present: "reading Copilot's manual", past: "read Copilot's manual",
		want: "read Copilot's manual"},
}

// refineEditor tells apart what the Copilot runtime's older all-in-one editor is asked to do.
func refineEditor(d *Display, input json.RawMessage) {
	switch command, _ := stringField(input, "command", false); command {
	case "view":
		d.Kind, d.Present, d.Past, d.Want, d.Failed = ToolRead, "reading", "read", "wants to read", "could not read"
	case "create":
		d.Present, d.Past, d.Want, d.Failed = "writing", "wrote", "wants to write", "could not write"
	case "undo_edit":
		d.Present, d.Past, d.Want, d.Failed = "undoing the edit of", "undid the edit of", "wants to undo the edit of", "could not undo the edit of"
	}
}
