package guard

// harmless are names that begin with a dot and that no program runs or obeys. A new one at the root of a directory of the
// session is asked about unless it is among these. Left out on purpose are files that may name code, such as .golangci.yml
// (plugins) and .pylintrc (init-hook), and those that are code, such as .eslintrc.js.
type harmless struct {
	// why is the reason in a few words, names are in lower case, with blanks between them.
	why, names string
}

// harmlessFiles are files. A directory of such a name is asked about.
var harmlessFiles = []harmless{
	{"lists of files that a tool leaves out; those of coding agents are not here, because they keep secrets from them",
		".gitignore .dockerignore .containerignore .eslintignore .prettierignore .stylelintignore .npmignore .helmignore .vercelignore " +
			".slugignore .gcloudignore .cfignore .ebignore .rgignore .ignore .fdignore .hgignore .bzrignore .cvsignore .markdownlintignore " +
			".trivyignore .nixignore .vscodeignore .funcignore .dvcignore .earthlyignore .terraformignore .tfignore .jshintignore"},
	{"empty files that keep a directory in a repository, or turn a feature of a host off", ".gitkeep .keep .nojekyll .nomedia"},
	{"how editors and formatters lay out text: data without commands",
		".editorconfig .clang-format .rustfmt.toml .scalafmt.conf .swift-format .yamlfmt .yamlfmt.yaml .yamlfmt.yml .style.yapf .taplo.toml " +
			".stylua.toml"},
	{"prettier's data: what it may name, package.json may name too, which is free; .prettierrc.js and the like are code",
		".prettierrc .prettierrc.json .prettierrc.json5 .prettierrc.yaml .prettierrc.yml .prettierrc.toml"},
	{"what checkers report: data without commands",
		".yamllint .yamllint.yaml .yamllint.yml .markdownlint.json .markdownlint.yaml .markdownlint.yml .hadolint.yaml .hadolint.yml " +
			".shellcheckrc .jshintrc .codespellrc .typos.toml .clippy.toml .coveralls.yml .codecov.yml " +
			".lycheeignore"},
	{"one version, which nvm and the like look up in their own lists; .python-version may be a path, and .tool-versions too",
		".nvmrc .node-version .ruby-version .java-version .go-version .terraform-version .sdkmanrc .bun-version .swift-version"},
	{"browsers to build for: what it may name, package.json may name too", ".browserslistrc"},
	{"the names and addresses of people", ".mailmap .all-contributorsrc"},
	{"variables of the project's own program; what runs .env by entering a directory, autoenv, asks first itself",
		".env .env.example .env.sample .env.template .env.dist .env.defaults .env.local .env.test .env.development .env.production " +
			".env.staging .env.ci"},
	{"endings of names, which commands have as arguments (--ext .ts) and no program as a file",
		".c .cc .cpp .h .hpp .cs .css .scss .sass .less .go .html .htm .java .js .jsx .cjs .mjs .ts .tsx .cts .mts .json .json5 .jsonl " +
			".jsonc .kt .kts .lua .md .mdx .php .pl .proto .py .pyi .rb .rs .scala .sh .sql .svelte .svg .swift .toml .txt .vue .xml .yaml " +
			".yml .csv .tsv .log .png .jpg .snap .astro .ipynb"},
}

// harmlessFolders are directories with all that is in them that is not guarded.
var harmlessFolders = []harmless{
	{"what GitHub shows, such as forms of issues; what it runs is guarded", ".github"},
	{"notes about changes, which changesets and towncrier read when a user runs them", ".changeset .changes .changelog .newsfragments"},
	{"files that a web server hands out", ".well-known"},
	{"licences and who has them", ".reuse"},
}
