// Uses Anthropic's TypeScript SDK as any program would, through the proxy that ANTHROPIC_BASE_URL and
// ANTHROPIC_AUTH_TOKEN name. The answers are those of proxy/testdata/contract.yaml. What the other side has to do is
// asked for with a line on stdout ("release later"); each finished scenario prints "ok NAME". Anything wrong ends the
// program with an error.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';

const client = new Anthropic({ maxRetries: 1 });
const model = 'claude-opus-4-6';
const ask = (content) => ({ model, max_tokens: 4096, messages: [{ role: 'user', content }] });
const say = (line) => process.stdout.write(line + '\n');
const textOf = (message) => message.content.filter((b) => b.type === 'text').map((b) => b.text).join('');

const readFile = {
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array' } }, required: ['path'] },
};
const paths = ['a.txt', 'b "quoted" é.txt'];

const scenarios = {
  async 'words arrive while the model speaks'() {
    const stream = client.messages.stream(ask('wait for it'));
    let released = false;
    stream.on('text', (_, soFar) => {
      if (!released && soFar === 'First.') {
        released = true;
        say('release later');
      }
    });
    const message = await stream.finalMessage();
    assert.equal(textOf(message), 'First. Then more.');
    assert.ok(released);
    assert.equal(message.model, model);
    assert.equal(message.stop_reason, 'end_turn');
    assert.ok(message.usage.output_tokens > 0);
    assert.match(stream.request_id, /./);
  },

  async 'events come in order'() {
    const types = [];
    for await (const event of await client.messages.create({ ...ask('hello'), stream: true })) types.push(event.type);
    assert.deepEqual([...new Set(types)], ['message_start', 'content_block_start', 'content_block_delta',
      'content_block_stop', 'message_delta', 'message_stop']);
  },

  async 'a whole message'() {
    const message = await client.messages.create(ask('hello'));
    assert.equal(textOf(message), 'You said: hello');
    assert.equal(message.model, model);
    assert.match(message._request_id, /./);
  },

  async 'thinking, through the beta route'() {
    const message = await client.beta.messages.stream({
      ...ask('think'), thinking: { type: 'adaptive', display: 'summarized' },
      betas: ['interleaved-thinking-2025-05-14', 'no-such-beta-2026-01-01'],
    }).finalMessage();
    assert.deepEqual(message.content.map((b) => b.type), ['thinking', 'text']);
    assert.equal(message.content[0].thinking, 'Let me see.');
    assert.ok(message.content[0].signature);
  },

  async 'a tool loop by hand'() {
    const { inputSchema: input_schema, ...rest } = readFile;
    const params = { ...ask('compare the files'), tools: [{ ...rest, input_schema }] };
    const called = [];
    let message;
    for (let round = 0; round < 5; round++) {
      message = await client.messages.stream(params).finalMessage();
      params.messages.push({ role: 'assistant', content: message.content });
      if (message.stop_reason !== 'tool_use') break;
      const uses = message.content.filter((b) => b.type === 'tool_use');
      called.push(...uses.map((u) => u.input.path));
      params.messages.push({
        role: 'user', content: uses.map((u) => ({ type: 'tool_result', tool_use_id: u.id, content: 'words of ' + u.input.path })),
      });
    }
    assert.deepEqual(called, paths);
    assert.match(textOf(message), /^The tool said: /);
  },

  async "the SDK's own tool runner"() {
    for (const stream of [false, true]) {
      const called = [];
      const tool = betaTool({ ...readFile, run: ({ path }) => (called.push(path), 'words of ' + path) });
      const message = await client.beta.messages.toolRunner({ ...ask('compare the files'), tools: [tool], stream }).runUntilDone();
      assert.deepEqual(called, paths);
      assert.match(textOf(message), /^The tool said: /);
    }
  },

  async 'the model list, page by page'() {
    const all = [];
    for await (const m of client.models.list({ limit: 2 })) all.push(m);
    assert.deepEqual(all.map((m) => m.id), ['claude-fable-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6',
      'claude-sonnet-5', 'claude-sonnet-4-6', 'claude-haiku-4-5', 'gpt-5.4', 'gpt-5-mini', 'gemini-3-pro']);
    for (const m of all) {
      assert.equal(m.type, 'model');
      assert.ok(!Number.isNaN(Date.parse(m.created_at)));
    }
    const whole = await client.models.list();
    assert.equal(whole.data.length, all.length);
    assert.equal(whole.hasNextPage(), false);
    assert.equal((await client.models.retrieve(model)).id, model);
    await assert.rejects(client.models.retrieve('claude-none-1'), Anthropic.NotFoundError);
  },

  async 'unknown events do no harm'() {
    assert.equal(textOf(await client.messages.stream(ask('odd')).finalMessage()), 'before, after');
  },

  async 'errors have their type, and no retry where none helps'() {
    for (const [words, status, kind] of [['no quota', 402, Anthropic.PaymentRequiredError], ['refuse this', 400, Anthropic.BadRequestError]]) {
      for (const params of [ask(words), { ...ask(words), stream: true }]) {
        await assert.rejects(client.messages.create(params), (e) => {
          assert.ok(e instanceof kind, String(e));
          assert.equal(e.status, status);
          assert.equal(e.error.type, 'error');
          return true;
        });
      }
    }
    await assert.rejects(client.messages.countTokens({ model, messages: ask('x').messages }), (e) => e.status === 501);
    const stranger = new Anthropic({ authToken: 'wrong.contract', apiKey: null });
    await assert.rejects(stranger.messages.create(ask('x')), Anthropic.AuthenticationError);
  },

  async 'an error within the stream'() {
    const stream = client.messages.stream(ask('break'));
    let text = '';
    stream.on('text', (_, soFar) => (text = soFar));
    await assert.rejects(stream.finalMessage(), /no capacity/);
    assert.equal(text, 'This will not');
  },

  async 'a client that leaves'() {
    const stream = client.messages.stream(ask('wait for ever'));
    for await (const event of stream) {
      if (event.type === 'content_block_delta') stream.abort();
    }
  },
};

for (const [name, run] of Object.entries(scenarios)) {
  try {
    await run();
  } catch (e) {
    if (!(name === 'a client that leaves' && e instanceof Anthropic.APIUserAbortError)) {
      console.error(`scenario "${name}":`, e);
      process.exit(1);
    }
  }
  say('ok ' + name);
}
say('done');
