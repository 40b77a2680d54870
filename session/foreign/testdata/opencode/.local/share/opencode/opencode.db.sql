CREATE TABLE `session` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `workspace_id` text,
          `parent_id` text,
          `slug` text NOT NULL,
          `directory` text NOT NULL,
          `path` text,
          `title` text NOT NULL,
          `version` text NOT NULL,
          `share_url` text,
          `summary_additions` integer,
          `summary_deletions` integer,
          `summary_files` integer,
          `summary_diffs` text,
          `metadata` text,
          `cost` real DEFAULT 0 NOT NULL,
          `tokens_input` integer DEFAULT 0 NOT NULL,
          `tokens_output` integer DEFAULT 0 NOT NULL,
          `tokens_reasoning` integer DEFAULT 0 NOT NULL,
          `tokens_cache_read` integer DEFAULT 0 NOT NULL,
          `tokens_cache_write` integer DEFAULT 0 NOT NULL,
          `revert` text,
          `permission` text,
          `agent` text,
          `model` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_compacting` integer,
          `time_archived` integer,
          CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
INSERT INTO session VALUES('ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 'global', NULL, NULL, 'glowing-canyon', '/repos/hello', '', 'Name of the module', '1.18.33', NULL, 0, 0, 0, NULL, NULL, 0.0, 300, 60, 0, 0, 0, NULL, '[{"action":"deny","pattern":"*","permission":"question"},{"action":"deny","pattern":"*","permission":"plan_enter"},{"action":"deny","pattern":"*","permission":"plan_exit"}]', 'build', '{"id":"gpt-5.4","providerID":"test","variant":"default"}', 1795934777610, 1795934800287, NULL, NULL);
CREATE TABLE `message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
INSERT INTO message VALUES('msg_2260df2e60010iDYQnRYgYf5rO', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934778086, 1795934792156, '{"agent":"build","model":{"modelID":"gpt-5.4","providerID":"test"},"role":"user","summary":{"diffs":[]},"time":{"created":1795934778086}}');
INSERT INTO message VALUES('msg_2260e038f0011u8Wy54yWZLH6F', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934782351, 1795934791788, '{"agent":"build","cost":0,"finish":"tool-calls","mode":"build","modelID":"gpt-5.4","parentID":"msg_2260df2e60010iDYQnRYgYf5rO","path":{"cwd":"/repos/hello","root":"/repos/hello"},"providerID":"test","role":"assistant","time":{"completed":1795934791641,"created":1795934782351},"tokens":{"cache":{"read":0,"write":0},"input":100,"output":20,"reasoning":0,"total":120}}');
INSERT INTO message VALUES('msg_2260e288d001v0YHZ6qf1k1xz4', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934791821, 1795934792485, '{"agent":"build","cost":0,"finish":"stop","mode":"build","modelID":"gpt-5.4","parentID":"msg_2260df2e60010iDYQnRYgYf5rO","path":{"cwd":"/repos/hello","root":"/repos/hello"},"providerID":"test","role":"assistant","time":{"completed":1795934792484,"created":1795934791821},"tokens":{"cache":{"read":0,"write":0},"input":100,"output":20,"reasoning":0,"total":120}}');
INSERT INTO message VALUES('msg_2260e39770018z0W2gPO38wKze', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934796152, 1795934798298, '{"agent":"build","model":{"modelID":"gpt-5.4","providerID":"test"},"role":"user","summary":{"diffs":[]},"time":{"created":1795934796152}}');
INSERT INTO message VALUES('msg_2260e4088001mm7726Rqq5N9Gw', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934797961, 1795934800260, '{"agent":"build","cost":0,"finish":"stop","mode":"build","modelID":"gpt-5.4","parentID":"msg_2260e39770018z0W2gPO38wKze","path":{"cwd":"/repos/hello","root":"/repos/hello"},"providerID":"test","role":"assistant","time":{"completed":1795934800253,"created":1795934797961},"tokens":{"cache":{"read":0,"write":0},"input":100,"output":20,"reasoning":0,"total":120}}');
CREATE TABLE `part` (
          `id` text PRIMARY KEY,
          `message_id` text NOT NULL,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
        );
INSERT INTO part VALUES('prt_2260df31b001swK0XLLJqx7Hog', 'msg_2260df2e60010iDYQnRYgYf5rO', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934782174, 1795934782186, '{"text":"\"Which module is this? Look into go.mod.\"","type":"text"}');
INSERT INTO part VALUES('prt_2260e2364001hEm5QjqZP20WZB', 'msg_2260e038f0011u8Wy54yWZLH6F', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934790500, 1795934790510, '{"snapshot":"ef7809b748ec1f8e41c760717715d7687f82fb46","type":"step-start"}');
INSERT INTO part VALUES('prt_2260e237c001pyOMhAhnvWY9So', 'msg_2260e038f0011u8Wy54yWZLH6F', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934790524, 1795934790545, '{"text":"The file names it.","time":{"end":1795934790544,"start":1795934790524},"type":"reasoning"}');
INSERT INTO part VALUES('prt_2260e239c001hXaJ1c0pJDWAen', 'msg_2260e038f0011u8Wy54yWZLH6F', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934790556, 1795934791073, '{"callID":"call_1","state":{"input":{"command":"cat go.mod","description":"Reads it"},"metadata":{"exit":0,"output":"module example.com/hello\n","truncated":false},"output":"module example.com/hello\n","status":"completed","time":{"end":1795934791063,"start":1795934790602},"title":"cat go.mod"},"tool":"bash","type":"tool"}');
INSERT INTO part VALUES('prt_2260e26d4001CEUvVAcfpSrn5f', 'msg_2260e038f0011u8Wy54yWZLH6F', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934791383, 1795934791403, '{"cost":0,"reason":"tool-calls","snapshot":"ef7809b748ec1f8e41c760717715d7687f82fb46","tokens":{"cache":{"read":0,"write":0},"input":100,"output":20,"reasoning":0,"total":120},"type":"step-finish"}');
INSERT INTO part VALUES('prt_2260e299e001rz2vPwfCZlypLZ', 'msg_2260e288d001v0YHZ6qf1k1xz4', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934792095, 1795934792096, '{"snapshot":"ef7809b748ec1f8e41c760717715d7687f82fb46","type":"step-start"}');
INSERT INTO part VALUES('prt_2260e29a2001KKHw60Y0BeMUG3', 'msg_2260e288d001v0YHZ6qf1k1xz4', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934792098, 1795934792105, '{"text":"The module is **example.com/hello**.","time":{"end":1795934792102,"start":1795934792098},"type":"text"}');
INSERT INTO part VALUES('prt_2260e2a82001HYwrNuaDb27FeC', 'msg_2260e288d001v0YHZ6qf1k1xz4', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934792323, 1795934792327, '{"cost":0,"reason":"stop","snapshot":"ef7809b748ec1f8e41c760717715d7687f82fb46","tokens":{"cache":{"read":0,"write":0},"input":100,"output":20,"reasoning":0,"total":120},"type":"step-finish"}');
INSERT INTO part VALUES('prt_2260e397a001LU1Z6rthkpMpeB', 'msg_2260e39770018z0W2gPO38wKze', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934797907, 1795934797913, '{"text":"\"Thanks. Now say it in one word.\"","type":"text"}');
INSERT INTO part VALUES('prt_2260e48620010L24I7Jr2WYj7V', 'msg_2260e4088001mm7726Rqq5N9Gw', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934799970, 1795934799982, '{"snapshot":"ef7809b748ec1f8e41c760717715d7687f82fb46","type":"step-start"}');
INSERT INTO part VALUES('prt_2260e4874001NpyUuRq0dYprnK', 'msg_2260e4088001mm7726Rqq5N9Gw', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934799988, 1795934800007, '{"text":"hello","time":{"end":1795934800004,"start":1795934799988},"type":"text"}');
INSERT INTO part VALUES('prt_2260e48f1001JaNN62Zq1zYbDM', 'msg_2260e4088001mm7726Rqq5N9Gw', 'ses_dd9f20ef5ffeXlWdTQ8D9VcelQ', 1795934800114, 1795934800120, '{"cost":0,"reason":"stop","snapshot":"ef7809b748ec1f8e41c760717715d7687f82fb46","tokens":{"cache":{"read":0,"write":0},"input":100,"output":20,"reasoning":0,"total":120},"type":"step-finish"}');
