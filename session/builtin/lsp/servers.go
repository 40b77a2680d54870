package lsp

// Server describes a language server.
type Server struct {
	// Name is the server's name in messages and in the configuration.
	Name string
	// Argv is the program, by its name on PATH or absolute, and its arguments.
	Argv []string
	// Languages are the ids of languages by file extensions, with the dot.
	Languages map[string]string
	// Roots are the names of files that mark a project's root, the most telling first.
	Roots []string
	// Options are the initialization options, nil for none; path is the program that was found.
	Options func(path string) map[string]any
	// Pull, if set, asks for the diagnostics of a document, for a server that does not say when it has none. What it
	// publishes by itself is not used then.
	Pull func(call func(method string, params, result any) error, path string) ([]diagnostic, error)
	// Safe reports whether the program that was found runs nothing of a project; nil: it does not.
	Safe func(path string) bool
	// RunsProject reports that the server runs what a project contains: it is started only in a trusted directory.
	RunsProject bool
	// Node reports whether a trusted project's own node_modules/.bin may have the program.
	Node bool
	// Chosen reports whether the user named the program in the configuration, which is as good as trust.
	Chosen bool
}

func same(id string, extensions ...string) map[string]string {
	m := map[string]string{}
	for _, e := range extensions {
		m[e] = id
	}
	return m
}

func merged(maps ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

var (
	scripts = merged(same("typescript", ".ts", ".mts", ".cts"), same("typescriptreact", ".tsx"),
		same("javascript", ".js", ".mjs", ".cjs"), same("javascriptreact", ".jsx"))
	python = same("python", ".py", ".pyi")
	ruby   = same("ruby", ".rb", ".rake", ".gemspec")
	clike  = merged(same("c", ".c", ".h"), same("cpp", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
		same("objective-c", ".m"), same("objective-cpp", ".mm"))
)

var pythonRoots = []string{"pyproject.toml", "pyrightconfig.json", "setup.py", "setup.cfg", "requirements.txt"}

// servers are the known servers. For an extension, the first one that is installed counts.
var servers = []Server{
	{Name: "gopls", Argv: []string{"gopls"}, Languages: merged(same("go", ".go"), same("go.mod", ".mod"), same("go.work", ".work")),
		Roots: []string{"go.work", "go.mod"}, Options: func(string) map[string]any {
			// Errors in other packages come soon after those in the changed file, and no hints besides.
			return map[string]any{"diagnosticsDelay": "50ms", "semanticTokens": false, "staticcheck": false}
		}},
	{Name: "typescript-language-server", Argv: []string{"typescript-language-server", "--stdio"}, Languages: scripts, Node: true,
		Roots: []string{"tsconfig.json", "jsconfig.json", "package.json"}, Options: typescriptOptions, Pull: typescriptPull,
		Safe: func(path string) bool { return compilerBeside(path) != "" }},
	{Name: "pyright", Argv: []string{"pyright-langserver", "--stdio"}, Languages: python, Roots: pythonRoots, Node: true},
	{Name: "basedpyright", Argv: []string{"basedpyright-langserver", "--stdio"}, Languages: python, Roots: pythonRoots, Node: true},
	{Name: "pylsp", Argv: []string{"pylsp"}, Languages: python, Roots: pythonRoots, RunsProject: true},
	{Name: "rust-analyzer", Argv: []string{"rust-analyzer"}, Languages: same("rust", ".rs"),
		Roots: []string{"Cargo.lock", "Cargo.toml", "rust-project.json"}, RunsProject: true},
	{Name: "clangd", Argv: []string{"clangd", "--log=error"}, Languages: clike,
		Roots: []string{"compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "Makefile"}},
	{Name: "jdtls", Argv: []string{"jdtls"}, Languages: same("java", ".java"), RunsProject: true,
		Roots: []string{"settings.gradle", "settings.gradle.kts", "pom.xml", "build.gradle", "build.gradle.kts"}},
	{Name: "lua-language-server", Argv: []string{"lua-language-server"}, Languages: same("lua", ".lua"), RunsProject: true,
		Roots: []string{".luarc.json", ".luarc.jsonc", "stylua.toml"}},
	{Name: "ruby-lsp", Argv: []string{"ruby-lsp"}, Languages: ruby, Roots: []string{"Gemfile"}, RunsProject: true},
	{Name: "solargraph", Argv: []string{"solargraph", "stdio"}, Languages: ruby, Roots: []string{"Gemfile"}, RunsProject: true},
	{Name: "bash-language-server", Argv: []string{"bash-language-server", "start"}, Languages: same("shellscript", ".sh", ".bash"), Node: true},
	{Name: "zls", Argv: []string{"zls"}, Languages: same("zig", ".zig", ".zon"), Roots: []string{"build.zig"}, RunsProject: true},
	{Name: "intelephense", Argv: []string{"intelephense", "--stdio"}, Languages: same("php", ".php"), Roots: []string{"composer.json"}, Node: true},
	{Name: "elixir-ls", Argv: []string{"elixir-ls"}, Languages: same("elixir", ".ex", ".exs"), Roots: []string{"mix.exs"}, RunsProject: true},
	{Name: "kotlin-language-server", Argv: []string{"kotlin-language-server"}, Languages: same("kotlin", ".kt", ".kts"), RunsProject: true,
		Roots: []string{"settings.gradle", "settings.gradle.kts", "pom.xml", "build.gradle", "build.gradle.kts"}},
	// Both fetch the schemas that a file names.
	{Name: "yaml-language-server", Argv: []string{"yaml-language-server", "--stdio"}, Languages: same("yaml", ".yaml", ".yml"), Node: true, RunsProject: true},
	{Name: "vscode-json-language-server", Argv: []string{"vscode-json-language-server", "--stdio"}, Languages: merged(same("json", ".json"), same("jsonc", ".jsonc")),
		Node: true, RunsProject: true, Options: func(string) map[string]any {
			return map[string]any{"handledSchemaProtocols": []string{"file"}}
		}},
}
