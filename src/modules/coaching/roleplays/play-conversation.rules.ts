import { startBuyer } from '../buyer/buyer.rules.ts'
import type { Buyer } from '../buyer/buyer-state.ts'
import { wordOpening } from '../buyer/wording.rules.ts'
import type { ScenarioSnapshot } from '../sessions/session-row.ts'
import type { Conversation, SpokenMessage } from './analysis.rules.ts'
import { playMessage } from './play-message.rules.ts'
import { toBuyerContext } from './roleplay.rules.ts'

type Script = { buyer: Buyer; snapshot: ScenarioSnapshot; seed: Buffer; texts: readonly string[]; startedAt: Date }

/** Plays a whole conversation with the rules, as its messages would be answered one by one without a model. */
export function playConversation({ buyer, snapshot, seed, texts, startedAt }: Script): {
  conversation: Conversation
  messages: SpokenMessage[]
} {
  let state = startBuyer(buyer, snapshot.difficulty)
  const messages: SpokenMessage[] = [{ seq: 1, role: 'buyer', text: wordOpening(buyer, seed), spoken_seconds: null }]
  const base = { persona_snapshot: buyer, scenario_snapshot: snapshot, started_at: startedAt }
  const context = toBuyerContext({ ...base, mode: 'text', voice_seconds: null }, startedAt)
  for (const text of texts) {
    if (state.ended) break
    const seq = messages.length + 1
    const played = playMessage({ text, state, context, seed, replySeq: seq + 1 })
    messages.push({ seq, role: 'rep', text, spoken_seconds: null })
    messages.push({ seq: seq + 1, role: 'buyer', text: played.reply, spoken_seconds: null })
    state = played.state
  }
  return { conversation: { ...base, state }, messages }
}
