// Package guard decides by parley's rules what the Claude Code runtime may do without asking the user.
//
// In come the runtime's permission requests, its hook before each tool call, and the rules of the session. Out go judgements:
// allowed by a rule or to be asked, with the rules to offer. The runtime's rules for commands and files are never offered,
// because parley's are narrower.
//
// A command is never the runtime's to judge: what parley's policy allows runs as the print of what was judged, and all else is
// asked, also what the runtime takes for harmless and what the user's settings allow. Outside of bypassPermissions the hook so
// answers every command.
//
// The user's settings may have rules that deny or ask. In all of 2.1.112, 2.1.197 and 2.1.330, in every mode:
//   - where a hook allows, the runtime judges them on the hook's updatedInput, else on the call's own input;
//   - where a hook asks, it judges them on the call's own input: deny refuses without a question, ask names a rule as its reason,
//     or none in 2.1.112. It judges nothing of the input with which the question is answered.
//
// A quoted print misses such rules: 2.1.112 finds no word that is quoted, 2.1.197 none but the first of a command, 2.1.330 all.
// So with such rules the hook asks about a command that has to run as printed, and parley answers the question with the print,
// unless the runtime gives a reason of its own. It does so in plan mode, too: there 2.1.330 asks about what a hook allows, if it
// does not take the updatedInput for reading.
//
// The package may import session, session/permission, session/process/scope and session/toolview. It asks no user and
// knows no process; it may read the disk, to resolve paths and for the settings of the runtime.
package guard
