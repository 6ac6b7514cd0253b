import { createHash } from 'node:crypto'
import type { PersonaStyle } from '../personas/personas.schemas.ts'
import type { Buyer, BuyerMove } from './buyer-state.ts'
import { detailRequests, openings, sentences } from './buyer-templates.ts'

/** `seed` and `seq` decide the wording, so the same conversation is worded the same way. */
export function wordReply(moves: readonly BuyerMove[], buyer: Buyer, { seed, seq }: { seed: Uint8Array; seq: number }) {
  const choose = (list: readonly string[], salt: string) => list[indexOf(seed, `${seq}:${salt}`, list.length)]!
  const parts = moves.map((move, index) => {
    const opening = index === 0 ? choose(openings[buyer.style], 'opening') : ''
    return joinSentences([opening, fill(choose(sentences[move.step], `${index}:${move.step}`), move)])
  })
  const { talkativeness, technical_depth } = buyer.traits
  const isLast = moves.some(({ step }) => step === 'stop' || step === 'agree')
  if (talkativeness >= 3 && !isLast) parts.push(choose(followUps[buyer.style], 'follow_up'))
  if (talkativeness >= 4 && !isLast) parts.push(...chooseInterest(buyer, choose))
  if (technical_depth >= 4 && !isLast) parts.push(choose(detailRequests, 'detail'))
  return joinSentences(parts)
}

export const wordOpening = (buyer: Buyer, seed: Uint8Array): string =>
  buyer.opening_line ?? sentences.open[indexOf(seed, '1:open', sentences.open.length)]!.replaceAll('{name}', buyer.name)

const followUps: Record<PersonaStyle, readonly string[]> = {
  analytical: [
    'I decide on facts.',
    'I compare options carefully.',
    'I want to see how it works.',
    'Precision matters to me.',
    'I will check what you say.',
  ],
  driver: [
    'My time is limited.',
    'I care about results.',
    'Keep it short.',
    'I want to decide soon.',
    'Come to the point.',
  ],
  amiable: [
    'My team matters to me.',
    'I want this to work for everyone.',
    'We take our time with decisions.',
    'I like to know who I work with.',
    'I have to ask my colleagues.',
  ],
  expressive: [
    'I like new ideas.',
    'I want to be excited about it.',
    'I think in pictures.',
    'Show me what is possible.',
    'I talk about this a lot.',
  ],
}

function chooseInterest({ goals, pains }: Buyer, choose: (list: readonly string[], salt: string) => string): string[] {
  const texts = [...goals.map((goal) => `What we want: ${goal}`), ...pains.map((pain) => `What troubles us: ${pain}`)]
  return texts.length ? [choose(texts, 'interest')] : []
}

function fill(template: string, move: BuyerMove): string {
  if (move.step === 'reveal') return template.replaceAll('{text}', move.fact.text)
  if (move.step === 'answer') return template.replaceAll('{text}', move.text)
  if (move.step === 'raise') return template.replaceAll('{text}', move.objection.text)
  if (move.step === 'acknowledge' || move.step === 'push_back')
    return template.replaceAll('{topic}', move.objection.topic)
  return template
}

/** The first four bytes of the hash of seed and salt, modulo the length. */
const indexOf = (seed: Uint8Array, salt: string, length: number): number =>
  createHash('sha256').update(seed).update(salt).digest().readUInt32BE(0) % length

const joinSentences = (parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .map((part) => (/[.?!…]$/.test(part) ? part : `${part}.`))
    .join(' ')
