// Package clienttools has the tools that parley itself gives to agents, and the door through which a runtime that speaks MCP calls
// them.
//
// In come the services behind the tools, as functions, and messages of a runtime. Out go [session.ClientTool] values, which every
// agent takes in its own form, and answers to the messages, each exactly once.
//
// Agents judge each call like one of any other tool before it comes here. The input of a call was written by a model, and a
// message by a runtime that may send anything: both are bounded, and neither can end the program.
package clienttools
