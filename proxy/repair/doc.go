// Package repair makes requests of the Anthropic Messages API acceptable to the Copilot API.
//
// In comes the body of a request as a client wrote it, the service's description of the model, and the betas that the
// client names. Out goes the body that the service accepts, changed by byte ranges: everything that no rule changes is
// preserved byte for byte, above all signed reasoning, whose signature covers its bytes, and everything that the
// service caches. Each rule answers one refusal of the service, has a name, counts its changes, and can be switched off
// ([Options].Off).
//
//	rule                what the service refuses                             what the rule does
//	message-fields      fields of a message besides role and content         drop them; the last effort in them goes to output_config
//	system-role         role "system" inside messages                        fold into the user's turn; or refuse
//	betas               a beta it does not know                              drop it from the header
//	server-tools        web_search, web_fetch, code_execution and the like   drop the tool; refuse if the request is about nothing else
//	duplicate-tools     two tools of one name                                keep the first
//	tool-count          more than 128 tools                                  drop the last ones that were neither used nor demanded
//	tool-fields         eager_input_streaming and other unknown fields       drop them
//	tool-schemas        $schema, a schema that is not an object or has no    drop it; add what is missing
//	                    properties
//	tool-ids            ids of calls with other than letters, digits, _, -   respell them, in calls and results alike
//	tool-inputs         a call whose input is not an object                  make it an empty one
//	search-blocks       searches of the web in earlier answers               a text in their place
//	image-urls          images by URL or file id                             a text in their place; or refuse
//	unsigned-thinking   reasoning without a signature, or with one of        drop the block
//	                    another model
//	blank-text          text of white space only, messages without content   drop the block; an empty message says "(no content)"
//	empty-system        a blank system prompt                                drop it
//	output-format       output_format                                        move it into output_config
//	max-tokens          more output than the model has                       lower it
//	thinking            a kind of thinking the model does not have, a        choose the other kind, or none; bound the budget
//	                    budget out of bounds
//	thinking-fields     fields the kind does not have, an unknown display    drop them; display "summarized"
//	forced-tool         thinking where a tool must be called                 drop thinking
//	sampling            temperature, top_k or top_p with thinking            drop them
//	effort              an effort the model does not list                    the next lower one, else the lowest; none if it has none
//	context-management  context_management or an edit without its beta,      drop them
//	                    clearing of thinking without thinking
//	cache-thinking      a cache mark on reasoning                            drop it
//	cache-deferred      a cache mark on a deferred tool                      drop it
//	cache-fields        fields of a cache mark such as scope                 drop them
//	cache-count         more than four cache marks                           keep the last tool, the last system block, the newest others
//	auto-cache          a cache mark on the whole request                    put it on the last block if there is room
//	unknown-fields      any other field it does not know                     drop it
//	prefill-space       a prefilled answer that ends in white space          cut the space
//	trailing-assistant  a prefilled answer, for models that refuse it        add a turn of the user: "Please continue."
//
// The rules run in this order. max-tokens, thinking, effort, prefill-space and trailing-assistant depend on the model
// and do not run for an unknown one. Behaviour follows version 2023-06-01 of the Messages API as the Copilot API served
// it in 2026.
//
// The package does no input or output except debug lines, which contain rules and places, never content. It does not
// translate to other APIs.
package repair
