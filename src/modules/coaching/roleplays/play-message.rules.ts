import { advanceBuyer } from '../buyer/buyer.rules.ts'
import type { BuyerContext, BuyerMove, BuyerState } from '../buyer/buyer-state.ts'
import { readSignals } from '../buyer/signals.rules.ts'
import { wordReply } from '../buyer/wording.rules.ts'

type MessageInput = { text: string; state: BuyerState; context: BuyerContext; seed: Uint8Array; replySeq: number }
export type PlayedMessage = { state: BuyerState; moves: BuyerMove[]; reply: string }

export function playMessage({ text, state: before, context, seed, replySeq }: MessageInput): PlayedMessage {
  const { buyer } = context
  const { state, moves } = advanceBuyer(before, readSignals(text, buyer.language), context)
  return { state, moves, reply: wordReply(moves, buyer, { seed, seq: replySeq }) }
}
