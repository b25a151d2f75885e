export { ToolFailure, type Agent, type NamedFile } from './agent.js';
export { answerRequest, MOST_MESSAGE_BYTES, serveStreams, type McpStreams } from './transports.js';
