// Package terminals keeps what sessions need of the environments of the terminals they work for.
//
// A process that serves several terminals has the environment of the one that started it. What differs between them and matters to
// commands, PATH, the agent of ssh and the proxies, comes with each prompt: a [Book] has it for each session, and agents read it when
// they start a process. The process itself uses those of the newest prompt ([New]). Nothing of it is stored or published, since addresses of proxies may have passwords.
package terminals
