package toolview

import (
	"encoding/json"
	"strings"

	"parley/internal/human"
	"parley/session"
)

// toolRow describes the calls of one tool.
type toolRow struct {
	kind                Kind
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
	"Read":         {kind: Read, present: "reading", past: "read", want: "read", fields: fields("path:file_path")},
	"Write":        {kind: Edit, present: "writing", past: "wrote", want: "write", fields: fields("path:file_path")},
	"Edit":         {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:file_path")},
	"MultiEdit":    {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:file_path")},
	"NotebookEdit": {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:notebook_path")},
	"Rename":       {kind: Edit, present: "renaming", past: "renamed", want: "rename", fields: fields("symbol", "path:file_path")},
	"NotebookRead": {kind: Read, present: "reading", past: "read", want: "read", fields: fields("path:notebook_path")},
	"Glob":         {kind: Search, present: "finding", past: "found", want: "find", fields: fields("pattern")},
	"Grep":         {kind: Search, present: "searching", past: "searched", want: "search", fields: fields("pattern")},
	"LS":           {kind: Search, present: "listing", past: "listed", want: "list", fields: fields("path:path")},
	"LSP":          {kind: Search, present: "looking up", past: "looked up", want: "look up", fields: fields("operation", "path:filePath", "path:file_path")},
	"ToolSearch":   {kind: Search, present: "looking for tools", past: "looked for tools", want: "look for tools", fields: fields("query")},
	"Bash":         {kind: Command, present: "running", past: "ran", want: "run", fields: fields("command")},
	"PowerShell":   {kind: Command, present: "running", past: "ran", want: "run", fields: fields("command")},
	"REPL":         {kind: Command, present: "running code", past: "ran code", want: "run code", fields: fields("code")},
	"BashOutput":   {kind: Read, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("bash_id")},
	"TaskOutput":   {kind: Read, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("task_id")},
	"BashInput":    {kind: Other, renderer: RenderTerminal, present: "typing", past: "typed", want: "type", fields: fields("text", "bash_id")},
	"KillShell":    {kind: Command, present: "stopping", past: "stopped", want: "stop", fields: fields("shell_id")},
	"KillBash":     {kind: Command, present: "stopping", past: "stopped", want: "stop", fields: fields("shell_id")},
	"TaskStop":     {kind: Command, present: "stopping", past: "stopped", want: "stop", fields: fields("task_id", "shell_id")},
	"Monitor":      {kind: Command, present: "watching", past: "watched", want: "watch", fields: fields("description", "command")},
	"WebFetch":     {kind: Fetch, present: "fetching", past: "fetched", want: "fetch", fields: fields("url")},
	"WebSearch":    {kind: Fetch, present: "searching the web for", past: "searched the web for", want: "search the web for", fields: fields("query")},
	"RemoteTrigger": {kind: Fetch, present: "using a remote trigger", past: "used a remote trigger", want: "use a remote trigger",
		fields: fields("action")},
	"Agent":            {kind: Agent, present: "delegating", past: "delegated", want: "delegate", fields: fields("description", "subagent_type")},
	"Task":             {kind: Agent, present: "delegating", past: "delegated", want: "delegate", fields: fields("description", "subagent_type")},
	"SendMessage":      {kind: Agent, present: "writing to", past: "wrote to", want: "write to", fields: fields("to", "recipient")},
	"Skill":            {kind: Agent, present: "using the skill", past: "used the skill", want: "use the skill", fields: fields("skill", "command")},
	"SlashCommand":     {kind: Agent, present: "using the command", past: "used the command", want: "use the command", fields: fields("command")},
	"Workflow":         {kind: Agent, present: "running the workflow", past: "ran the workflow", want: "run the workflow", fields: fields("name", "workflow")},
	"AskUserQuestion":  {kind: Ask, present: "asking", past: "asked", want: "ask", fields: fields("deep:question")},
	"EnterPlanMode":    {kind: Plan, present: "entering plan mode", past: "entered plan mode", want: "enter plan mode"},
	"ExitPlanMode":     {kind: Plan, present: "proposing a plan", past: "proposed a plan", want: "go on with the plan"},
	"TodoWrite":        {kind: Plan, present: "updating the task list", past: "updated the task list", want: "update the task list"},
	"TaskCreate":       {kind: Plan, present: "adding the task", past: "added the task", want: "add the task", fields: fields("subject", "description")},
	"TaskUpdate":       {kind: Plan, present: "updating task", past: "updated task", want: "update task", fields: fields("taskId", "subject")},
	"TaskGet":          {kind: Plan, present: "reading task", past: "read task", want: "read task", fields: fields("taskId")},
	"TaskList":         {kind: Plan, present: "reading the task list", past: "read the task list", want: "read the task list"},
	"EnterWorktree":    {kind: Command, present: "entering the worktree", past: "entered the worktree", want: "enter the worktree", fields: fields("name", "path:path")},
	"ExitWorktree":     {kind: Command, present: "leaving the worktree", past: "left the worktree", want: "leave the worktree", fields: fields("action")},
	"CronCreate":       {kind: Other, present: "scheduling", past: "scheduled", want: "schedule", fields: fields("prompt", "cron")},
	"CronDelete":       {kind: Other, present: "unscheduling", past: "unscheduled", want: "unschedule", fields: fields("id")},
	"CronList":         {kind: Other, present: "listing schedules", past: "listed schedules", want: "list schedules"},
	"ScheduleWakeup":   {kind: Other, present: "scheduling a wake-up", past: "scheduled a wake-up", want: "schedule a wake-up", fields: fields("reason")},
	"PushNotification": {kind: Other, present: "notifying", past: "notified", want: "notify", fields: fields("message")},
	"ReportFindings":   {kind: Other, present: "reporting findings", past: "reported findings", want: "report findings"},
	"StructuredOutput": {kind: Other, present: "giving the structured answer", past: "gave the structured answer",
		want: "give the structured answer"},
	"ListAgents":           {kind: Agent, present: "listing agents", past: "listed agents", want: "list agents"},
	"FindTools":            {kind: MCP, present: "finding tools for", past: "found tools for", want: "find tools for", fields: fields("query")},
	"ListMcpResourcesTool": {kind: MCP, present: "listing resources", past: "listed resources", want: "list resources", fields: fields("server")},
	"ReadMcpResourceTool":  {kind: MCP, present: "reading the resource", past: "read the resource", want: "read the resource", fields: fields("uri", "server")},

	// The Copilot runtime's tools.
	"bash":             {kind: Command, present: "running", past: "ran", want: "run", fields: fields("command")},
	"powershell":       {kind: Command, present: "running", past: "ran", want: "run", fields: fields("command")},
	"local_shell":      {kind: Command, present: "running", past: "ran", want: "run", fields: fields("command")},
	"write_bash":       {kind: Command, present: "typing", past: "typed", want: "type", fields: fields("input", "shellId", "sessionId")},
	"write_powershell": {kind: Command, present: "typing", past: "typed", want: "type", fields: fields("input", "shellId", "sessionId")},
	"read_bash":        {kind: Read, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("shellId", "sessionId")},
	"read_powershell":  {kind: Read, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("shellId", "sessionId")},
	"stop_bash":        {kind: Command, present: "stopping", past: "stopped", want: "stop", fields: fields("shellId", "sessionId")},
	"stop_powershell":  {kind: Command, present: "stopping", past: "stopped", want: "stop", fields: fields("shellId", "sessionId")},
	"list_bash":        {kind: Read, present: "listing shells", past: "listed shells", want: "list shells"},
	"list_powershell":  {kind: Read, present: "listing shells", past: "listed shells", want: "list shells"},
	"view":             {kind: Read, present: "reading", past: "read", want: "read", fields: fields("path:path")},
	"create":           {kind: Edit, present: "writing", past: "wrote", want: "write", fields: fields("path:path")},
	"edit":             {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:path")},
	"insert":           {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:path")},
	"apply_patch": {kind: Edit, present: "patching", past: "patched", want: "patch", fields: fields("path:path"),
		refine: refinePatch},
	"str_replace": {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:path")},
	"str_replace_editor": {kind: Edit, present: "editing", past: "edited", want: "edit", fields: fields("path:path"),
		refine: refineEditor},
	"undo_edit": {kind: Edit, present: "undoing the edit of", past: "undid the edit of", want: "undo the edit of", fields: fields("path:path")},
	"glob":      {kind: Search, present: "finding", past: "found", want: "find", fields: fields("pattern")},
	"grep":      {kind: Search, present: "searching", past: "searched", want: "search", fields: fields("pattern")},
	"rg":        {kind: Search, present: "searching", past: "searched", want: "search", fields: fields("pattern")},
	"semantic_code_search": {kind: Search, present: "searching the code for", past: "searched the code for", want: "search the code for",
		fields: fields("query", "description")},
	"lsp":         {kind: Search, present: "looking up", past: "looked up", want: "look up", fields: fields("operation", "path:file")},
	"web_fetch":   {kind: Fetch, present: "fetching", past: "fetched", want: "fetch", fields: fields("url")},
	"fetch":       {kind: Fetch, present: "fetching", past: "fetched", want: "fetch", fields: fields("url")},
	"web_search":  {kind: Fetch, present: "searching the web for", past: "searched the web for", want: "search the web for", fields: fields("query")},
	"task":        {kind: Agent, present: "delegating", past: "delegated", want: "delegate", fields: fields("description", "agent_type")},
	"read_agent":  {kind: Agent, present: "reading the answer of", past: "read the answer of", want: "read the answer of", fields: fields("agent_id")},
	"write_agent": {kind: Agent, present: "writing to", past: "wrote to", want: "write to", fields: fields("agent_id")},
	"stop_agent":  {kind: Agent, present: "stopping", past: "stopped", want: "stop", fields: fields("agent_id")},
	"list_agents": {kind: Agent, present: "listing agents", past: "listed agents", want: "list agents"},
	"skill":       {kind: Agent, present: "using the skill", past: "used the skill", want: "use the skill", fields: fields("skill")},
	"ask_user":    {kind: Ask, present: "asking", past: "asked", want: "ask", fields: fields("question", "message")},
	"exit_plan_mode": {kind: Plan, present: "proposing a plan", past: "proposed a plan", want: "go on with the plan",
		fields: fields("summary")},
	"update_todo": {kind: Plan, present: "updating the task list", past: "updated the task list", want: "update the task list"},
	// The tools that only the cloud agent has.
	"run_setup":       {kind: Other, renderer: RenderTerminal, present: "setting up:", past: "set up:", want: "set up:", fields: fields("name")},
	"report_progress": {kind: Plan, present: "pushing", past: "pushed", want: "push", fields: fields("commitMessage", "commit_message")},
	"codeql_checker":  {kind: Other, renderer: RenderTerminal, present: "checking security with CodeQL", past: "checked security with CodeQL", want: "check security with CodeQL"},
	"async_bash":      {kind: Command, present: "running", past: "ran", want: "run", fields: fields("command", "sessionId")},
	"read_async_bash": {kind: Read, renderer: RenderTerminal, present: "reading output of", past: "read output of", want: "read output of", fields: fields("sessionId")},
	"stop_async_bash": {kind: Command, present: "stopping", past: "stopped", want: "stop", fields: fields("sessionId")},

	// The tools of parley itself. What only concerns the user is of the kind that asks, and runs unasked.
	"session_search": {kind: Other, renderer: RenderSearch, present: "searching earlier sessions for", past: "searched earlier sessions for",
		want: "search earlier sessions for", fields: fields("words")},
	"open_in_editor": {kind: Other, present: "opening in your editor", past: "opened in your editor", want: "open in your editor", fields: fields("path:file_path")},
	"show_diff":      {kind: Ask, present: "showing changes", past: "showed changes", want: "show changes", fields: fields("message")},
	"notify":         {kind: Ask, renderer: RenderGeneric, present: "notifying you", past: "notified you", want: "notify you", fields: fields("message")},
	"code_lookup":    {kind: Search, present: "looking up", past: "looked up", want: "look up", fields: fields("symbol", "operation", "path:file_path")},

	"report_intent": {kind: Plan, present: "intending", past: "intended", want: "say what it intends", fields: fields("intent")},
	"task_complete": {kind: Plan, present: "finishing", past: "finished", want: "finish", fields: fields("summary")},
	"sql":           {kind: Plan, present: "noting", past: "noted", want: "note", fields: fields("description", "query")},
	"store_memory":  {kind: Plan, present: "remembering", past: "remembered", want: "remember", fields: fields("subject", "fact")},
	"vote_memory":   {kind: Plan, present: "judging a memory", past: "judged a memory", want: "judge a memory", fields: fields("fact")},
	"show_file":     {kind: Read, present: "showing", past: "showed", want: "show", fields: fields("path:path")},
	"session_store_sql": {kind: Search, present: "searching past sessions", past: "searched past sessions", want: "search past sessions",
		fields: fields("description", "query")},
	"tool_search_tool": {kind: Search, present: "looking for tools", past: "looked for tools", want: "look for tools", fields: fields("pattern", "query")},
	"fetch_copilot_cli_documentation": {kind: Read, present: "reading Copilot's manual", past: "read Copilot's manual",
		want: "read Copilot's manual"},
}

// clientTools are the tools of parley itself that other agents get, see package clienttools.
var clientTools = map[string]bool{"ask_user": true, "session_search": true, "open_in_editor": true, "show_diff": true, "notify": true,
	"code_lookup": true}

// refinePatch names the files of a patch, of which the input of apply_patch is nothing but the text.
func refinePatch(d *Display, input json.RawMessage) {
	text, ok := stringField(input, "input", false)
	if !ok {
		text, _ = stringField(input, "patch", false)
	}
	var paths []string
	for line := range strings.Lines(text) {
		for _, begin := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if path, ok := strings.CutPrefix(line, begin); ok && strings.HasSuffix(line, "\n") {
				paths = append(paths, strings.TrimSpace(path))
			}
		}
	}
	switch n := len(paths); {
	case n == 1:
		d.Subject = session.Subject(paths[0])
	case n > 1:
		d.Subject = session.Subject(human.Count(n, "file", "files") + ": " + strings.Join(paths, ", "))
	}
}

// refineEditor tells apart what the Copilot runtime's older all-in-one editor is asked to do.
func refineEditor(d *Display, input json.RawMessage) {
	switch command, _ := stringField(input, "command", false); command {
	case "view":
		d.Kind, d.Present, d.Past, d.Want, d.Failed = Read, "reading", "read", "wants to read", "could not read"
	case "create":
		d.Present, d.Past, d.Want, d.Failed = "writing", "wrote", "wants to write", "could not write"
	case "undo_edit":
		d.Present, d.Past, d.Want, d.Failed = "undoing the edit of", "undid the edit of", "wants to undo the edit of", "could not undo the edit of"
	}
}
