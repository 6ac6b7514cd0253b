import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertCheapText } from '#testing'
import type { Difficulty } from '../scenarios/scenarios.schemas.ts'
import { advanceBuyer, startBuyer } from './buyer.rules.ts'
import type { Buyer, BuyerMove, BuyerState } from './buyer-state.ts'
import { openings, sentences } from './buyer-templates.ts'
import { readSignals } from './signals.rules.ts'
import { wordOpening, wordReply } from './wording.rules.ts'

const traits = { patience: 3, skepticism: 3, talkativeness: 1, technical_depth: 3, price_sensitivity: 3 }
const price = {
  key: 'price',
  topic: 'price',
  text: 'That is too expensive.',
  triggers: ['license'],
  good_responses: ['savings'],
  severity: 2,
}
const time = {
  ...price,
  key: 'time',
  topic: 'time',
  text: 'We have no time.',
  triggers: ['rollout'],
  good_responses: [],
}
const fact = (key: string, ...reveal_keywords: string[]) => ({
  key,
  topic: key,
  text: `The fact about ${key}.`,
  reveal_keywords,
  suggested_question: null,
})
const buyer: Buyer = {
  name: 'Dana',
  job_title: 'CTO',
  company_profile: null,
  industry: null,
  style: 'analytical',
  language: 'en',
  traits,
  goals: ['Less manual work'],
  pains: ['Late reports'],
  opening_line: null,
  objections: [price, time],
  facts: [fact('tool', 'tool', 'today'), fact('team', 'team')],
}

type Options = { difficulty?: Difficulty; buyer?: Buyer; maxTurns?: number; state?: Partial<BuyerState> }

/** Says the texts one after the other and returns the last turn. */
function say(texts: readonly string[], { difficulty = 'medium', maxTurns = 60, ...options }: Options = {}) {
  const who = options.buyer ?? buyer
  const context = { buyer: who, difficulty, maxTurns, timeLimitSeconds: 600, elapsedSeconds: 60 }
  let turn: { state: BuyerState; moves: BuyerMove[] } = {
    state: { ...startBuyer(who, difficulty), ...options.state },
    moves: [],
  }
  for (const text of texts) turn = advanceBuyer(turn.state, readSignals(text, 'en'), context)
  return { ...turn, steps: turn.moves.map(({ step }) => step) }
}
const moodAfter = (text: string, options: Options = {}) => say([text], options).state.mood

test('the mood starts by skepticism and difficulty', () => {
  const moodOf = (skepticism: number, difficulty: Difficulty) =>
    startBuyer({ ...buyer, traits: { ...traits, skepticism } }, difficulty).mood

  assert.deepEqual([moodOf(3, 'medium'), moodOf(5, 'easy'), moodOf(1, 'hard'), moodOf(5, 'expert')], [60, 60, 60, 30])
})

test('the mood changes by questions, empathy, length, price and repetition', () => {
  assert.equal(moodAfter('How do you work?'), 66)
  assert.equal(moodAfter('Do you like it?'), 62)
  assert.equal(moodAfter('I understand.'), 64)
  assert.equal(moodAfter(Array(121).fill('word').join(' ')), 54)
  assert.equal(moodAfter('Our price is low.'), 52)
  assert.equal(moodAfter('Our price is low.', { state: { revealed: ['tool', 'team'] } }), 60)
  assert.equal(say(['Hello.', 'Hello.', 'Hello.'], { buyer: { ...buyer, objections: [] } }).state.mood, 56)
  assert.equal(say(['How do you work?', 'So how do you work?']).state.mood, 62)
  assert.equal(moodAfter('Our price is low.', { state: { mood: 3 } }), 0)
})

test('a question reveals one fact at a time, in order, and difficult buyers need an open question', () => {
  const first = say(['Which tool does your team use?'])
  const second = say(['Which tool does your team use?', 'Which tools do teams use elsewhere?'])

  assert.deepEqual([first.state.revealed, first.steps], [['tool'], ['reveal']])
  assert.deepEqual(
    [second.state.revealed, second.state.revealedAt],
    [
      ['tool', 'team'],
      [1, 2],
    ],
  )
  assert.deepEqual(say(['Tools are great.']).state.revealed, [])
  for (const difficulty of ['hard', 'expert'] as const) {
    assert.deepEqual(say(['Do you have a tool?'], { difficulty }).state.revealed, [])
    assert.deepEqual(say(['What tool is it?'], { difficulty }).state.revealed, ['tool'])
  }
})

test('an objection is raised by a trigger or by the number of the turn', () => {
  const triggered = say(['The rollout is easy.'])

  assert.deepEqual([triggered.state.raised, triggered.steps], [['time'], ['raise']])
  const turnsUntil = (difficulty: Difficulty) =>
    [1, 2, 3, 4].find((count) => say(Array(count).fill('Hello.'), { difficulty }).state.raised.length > 0)
  assert.deepEqual((['easy', 'medium', 'hard', 'expert'] as const).map(turnsUntil), [4, 3, 2, 2])
  assert.deepEqual(say(['Hello.', 'Hello.', 'Hello.']).state.pending, { key: 'price', tries: 0, since: 3 })
})

test('an objection is handled by an answer that listens, and unresolved after three attempts', () => {
  const pending = { pending: { key: 'price', tries: 0, since: 1 }, raised: ['price'] }

  const handled = say(['I understand. The savings pay for it.'], { state: pending })
  const unheard = say(['The savings pay for it.'], { state: pending })
  const unresolved = say(['No.', 'No.', 'No.'], { state: pending })
  const long = say([`I understand. ${Array(18).fill('word').join(' ')}`], {
    state: { pending: { key: 'time', tries: 0, since: 1 }, raised: ['time'] },
  })

  assert.deepEqual([handled.state.handled, handled.state.mood, handled.steps], [['price'], 72, ['acknowledge']])
  assert.deepEqual([unheard.state.handled, unheard.state.pending?.tries, unheard.steps], [[], 1, ['push_back']])
  assert.deepEqual([unresolved.state.unresolved, unresolved.steps], [['price'], ['push_back', 'raise']])
  assert.equal(unresolved.state.mood, 60 - 8 - 4)
  assert.deepEqual(long.state.handled, ['time'])
})

test('the buyer agrees to a next step if half of the facts are known and the mood is good', () => {
  const nextStep = 'Let us schedule a call on Tuesday.'
  const known = { revealed: ['tool'], raised: ['price', 'time'], handled: ['price', 'time'] }

  const agreed = say([nextStep], { state: known })
  const early = say([nextStep], { state: { ...known, revealed: [] } })
  const bad = say([nextStep], { state: { ...known, mood: 40 } })
  const objected = say([nextStep], { state: { revealed: [] } })

  assert.deepEqual([agreed.state.commitment, agreed.steps], [true, ['agree']])
  assert.deepEqual([early.state.commitment, early.steps], [false, ['not_yet']])
  assert.deepEqual([bad.state.commitment, objected.steps], [false, ['raise']])
})

test('open questions without a fact are answered from goals and pains in turn', () => {
  const plain = { ...buyer, objections: [], facts: [] }
  const texts = ['What matters?', 'How is that?', 'Why now?'].map((_, index, all) => {
    const [move] = say(all.slice(0, index + 1), { buyer: plain }).moves
    return move?.step === 'answer' ? move.text : move?.step
  })

  assert.deepEqual(texts, ['Less manual work', 'Late reports', 'Less manual work'])
  assert.deepEqual(say(['Hello.'], { buyer: plain }).steps, ['prompt'])
})

test('the conversation ends at the last turn, at the time limit and at mood 0', () => {
  const context = { buyer, difficulty: 'medium' as const, maxTurns: 9, timeLimitSeconds: 60, elapsedSeconds: 60 }
  const late = advanceBuyer(startBuyer(buyer, 'medium'), readSignals('Hello.', 'en'), context)
  const stopped = say(['Our price is low.'], { state: { mood: 1 } })

  assert.deepEqual([late.state.ended, late.state.end_reason], [true, 'time_limit'])
  assert.deepEqual([stopped.state.end_reason, stopped.steps], ['mood', ['stop']])
  assert.deepEqual([say(['Hi.'], { maxTurns: 1 }).state.end_reason, say(['Hi.']).state.ended], ['max_turns', false])
})

test('the wording depends on seed and number only, and tells nothing but the moves', () => {
  const seed = createHash('sha256').update('a').digest()
  const moves = say(['Which tool do you use?']).moves
  const replies = Array.from({ length: 40 }, (_, seq) => wordReply(moves, buyer, { seed, seq }))

  assert.deepEqual(
    replies,
    Array.from({ length: 40 }, (_, seq) => wordReply(moves, buyer, { seed, seq })),
  )
  assert.ok(new Set(replies).size > 10, `${new Set(replies).size} different replies`)
  for (const reply of replies) {
    assert.match(reply, /The fact about tool\./)
    assert.doesNotMatch(reply, /about team|expensive|no time/)
  }
  assert.equal(wordOpening({ ...buyer, opening_line: 'Yes?' }, seed), 'Yes?')
  assert.match(wordOpening(buyer, seed), /Dana|Hello/)
})

test('talkative buyers say more, and technical ones ask for details', () => {
  const seed = Buffer.alloc(32)
  const countOf = (talkativeness: number, technical_depth: number) => {
    const who = { ...buyer, traits: { ...traits, talkativeness, technical_depth } }
    return wordReply([{ step: 'prompt' }], who, { seed, seq: 3 }).split(/(?<=[.?!]) /).length
  }

  assert.deepEqual(
    [countOf(3, 3) - countOf(1, 3), countOf(5, 3) - countOf(1, 3), countOf(1, 5) - countOf(1, 3)],
    [1, 2, 1],
  )
})

test('a message of thousands of questions is answered without a delay', () => {
  const context = { buyer, difficulty: 'medium' as const, maxTurns: 60, timeLimitSeconds: null, elapsedSeconds: 0 }
  const questionsOf = (length: number, salt: string) =>
    Array.from({ length: length / 5 }, (_, n) => `${salt}${n.toString(36)}?`).join(' ')
  let { state } = { state: startBuyer(buyer, 'medium') }
  for (const salt of 'abcdef') ({ state } = advanceBuyer(state, readSignals(questionsOf(4_000, salt), 'en'), context))

  assert.equal(state.questions.length, 200)
  assertCheapText(
    (text) => advanceBuyer(state, readSignals(text, 'en'), context),
    (length) => questionsOf(length, 'g'),
    { maxLength: 4_000, limitMs: 500 },
  )
})

test('every step and style has at least five templates', () => {
  for (const list of [...Object.values(sentences), ...Object.values(openings)])
    assert.ok(new Set(list).size >= 5, list.join(' '))
})
