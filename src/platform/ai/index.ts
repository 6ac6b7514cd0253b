export { type AssistAnswer, type Engine, type FallbackReason, type Model, toRulesAnswer } from './model-answer.ts'
export { createModelClient, type ModelClient, type ModelRequest, registerModelMetrics } from './model-client.ts'
export {
  createRealtimeClient,
  type RealtimeClient,
  type RealtimeCredential,
  type RealtimeSession,
} from './realtime-credential.ts'
export type { SpeechFailure, SpeechProvider } from './speech-provider.ts'
export {
  type AudioRecording,
  createTranscriber,
  maxAudioBytes,
  type Transcriber,
  type Transcript,
  type TranscriptionResult,
  type TranscriptSegment,
} from './transcribe.ts'
