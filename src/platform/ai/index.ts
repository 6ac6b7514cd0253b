export type { Model } from './model.ts'
export { type AssistAnswer, type Engine, type FallbackReason, toRulesAnswer } from './model-answer.ts'
export { createModelClient, type ModelClient, type ModelRequest } from './model-client.ts'
export { registerModelMetrics } from './model-metrics.ts'
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
