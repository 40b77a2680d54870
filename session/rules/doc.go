// Package rules keeps permission rules on disk, and reads the administrator's policy.
//
// In come directories of sessions, and rules to add, remove, change and move. Out come the rules in force with their
// numbers and dates, what is wrong with a file, and which permission modes the policy allows. There are three files:
// the administrator's policy, the user's rules for every project, and the user's rules for one project. The last two
// are plain YAML that people edit too: a change keeps their comments and their order, is made under a lock that other
// processes see, and replaces the file as a whole. Files are read again when they change.
//
// A file that cannot be used fails closed: no rule of any file allows anything then. A missing file has no rules. The
// package writes nothing into a project's directory, decides about no call, and starts nothing.
package rules
