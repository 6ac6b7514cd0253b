import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCheapText } from '#testing'
import { analyzeText, findSentenceWith, hasListedPhrase, isRepetition } from './analyze-text.rules.ts'
import { findFillers } from './conversation.rules.ts'
import type { Language } from './lexicons/lexicon.ts'
import { findNextStep } from './next-step.rules.ts'

const questionsIn = (text: string, language: Language = 'en') =>
  analyzeText(text, language).sentences.map(({ question }) => question)
const fillersIn = (text: string, language: Language = 'en') =>
  findFillers(analyzeText(text, language)).map(({ word }) => word)
const nextStepIn = (text: string, language: Language = 'en') => {
  const step = findNextStep(analyzeText(text, language))
  if (!step) return 'none'
  return step.hasTime ? 'with a time' : 'without a time'
}

test('words are Unicode words', () => {
  const count = (text: string, language: Language = 'en') => analyzeText(text, language).words

  assert.equal(count("Let's follow-up on 3.5 million, don't we?"), 8)
  assert.equal(count('Die Größe überrascht – wirklich!', 'de'), 4)
  assert.equal(count('L’étape suivante, c’est quoi ?', 'fr'), 4)
  assert.equal(count('¿Qué tal? 😀 …', 'es'), 2)
  assert.equal(count(' \n '), 0)
})

test('sentences end with a mark or a line, but not inside a number or an address', () => {
  const sentences = analyzeText('We grew 3.5 times. See acme.example!\nReally?! Yes… and\r\nno', 'en').sentences

  assert.deepEqual(
    sentences.map(({ text }) => text),
    ['We grew 3.5 times.', 'See acme.example!', 'Really?', 'Yes…', 'and', 'no'],
  )
})

test('a full stop ends a sentence only before a blank or at the end', () => {
  const part = fc.constantFrom('.', '..', '?', '!', '…', ' ', '\n', 'a', '3', 'é')
  const splitByPattern = (text: string) =>
    text
      .split(/[?!…]+|\.+(?=\s|$)|[\r\n]+/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => /[^.]/.test(sentence))

  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('')
      const sentences = analyzeText(text, 'en').sentences.map((sentence) => sentence.text.replace(/[.?!…]+$/, ''))
      const expected = splitByPattern(text).filter((sentence) => /[a3é]/.test(sentence))
      assert.deepEqual(
        sentences,
        expected.map((sentence) => sentence.replace(/\.+$/, '')),
      )
    }),
  )
})

test('the longest transcript of full stops, marks or lines is analyzed without a delay', () => {
  for (const part of ['.', '?', '…', '\n', '.\n', '. ', '.a'])
    assertCheapText(
      (text) => analyzeText(text, 'en'),
      (length) => `${part.repeat(length / part.length)}a`,
      { maxLength: 100_000, limitMs: 1_000 },
    )
})

test('a question ends with a question mark or begins with an open starter', () => {
  assert.deepEqual(questionsIn('What do you use today? Do you like it? It is fine.'), ['open', 'closed', null])
  assert.deepEqual(questionsIn('Tell me about your team. Walk me through it. Describe it. Help me understand why.'), [
    'open',
    'open',
    'open',
    'open',
  ])
  assert.deepEqual(questionsIn('And so, how is that? Okay but who decides? So why?'), ['open', 'open', 'open'])
  assert.deepEqual(questionsIn("What's next? WHO'S in charge? When’s the deadline?"), ['open', 'open', 'open'])
  assert.deepEqual(questionsIn('You decide, or who does? Whatever? Somewhat?'), ['closed', 'closed', 'closed'])
  assert.deepEqual(questionsIn('And so?'), ['closed'])
})

test('questions are found in every language', () => {
  const german =
    'Und wie läuft das heute? Wie Sie wissen, geht das. Warum nicht. Nutzen Sie SAP? Erzählen Sie mir davon.'
  const french =
    'Qu’est-ce que vous utilisez ? Est-ce que ça marche ? Et où êtes-vous ? Parlez-moi de vous. Quand on y pense, oui.'
  const spanish = '¿Y cómo lo hacen hoy? Como sabe, es fácil. ¿Usan SAP? Cuénteme más. ¿Por qué?'
  const portuguese = 'E como funciona hoje? Como sabe, é fácil. Vocês usam SAP? Me conte mais. O que falta?'

  assert.deepEqual(questionsIn(german, 'de'), ['open', null, 'open', 'closed', 'open'])
  assert.deepEqual(questionsIn(french, 'fr'), ['open', 'closed', 'open', 'open', null])
  assert.deepEqual(questionsIn(spanish, 'es'), ['open', null, 'closed', 'open', 'open'])
  assert.deepEqual(questionsIn(portuguese, 'pt'), ['open', null, 'closed', 'open', 'open'])
})

test('fillers are counted as whole words, "like" only at a pause', () => {
  const fillers = fillersIn('Um, I mean, it is basically, like, done. Like I said, you know. I like it, er, honestly.')

  assert.deepEqual(fillers.toSorted(), ['basically', 'er', 'honestly', 'i mean', 'like', 'like', 'um', 'you know'])
  assert.deepEqual(fillersIn('The umbrella is errant. I would like that. A human being.'), [])
  assert.deepEqual(fillersIn('It is kind of slow. What kind of tool is this? Sort of.'), ['kind of', 'sort of'])
  assert.deepEqual(fillersIn('All kinds of tools. She meant it.'), [])
})

test('fillers are found in every language', () => {
  assert.deepEqual(fillersIn('Ähm, das ist quasi fertig, also, ja. Halt! Das heißt, wir halten an.', 'de').toSorted(), [
    'also',
    'halt',
    'quasi',
    'ähm',
  ])
  assert.deepEqual(fillersIn('Euh, en fait, c’est genre, fini. Un genre nouveau.', 'fr').toSorted(), [
    'en fait',
    'euh',
    'genre',
  ])
  assert.deepEqual(fillersIn('Eh, o sea, este, ya está. Este año no.', 'es').toSorted(), [
    'eh',
    'este',
    'este',
    'o sea',
  ])
  assert.deepEqual(fillersIn('Hum, tipo, quer dizer, né. Um tipo novo.', 'pt').toSorted(), [
    'hum',
    'né',
    'quer dizer',
    'tipo',
  ])
})

test('a next step is found with inflected forms, and its time in the sentences next to it', () => {
  assert.equal(nextStepIn("Let's talk about next steps."), 'without a time')
  assert.equal(nextStepIn("I'm scheduling a demo on Tuesday."), 'with a time')
  assert.equal(nextStepIn('Shall we follow-up? Does tomorrow work?'), 'with a time')
  assert.equal(nextStepIn('Are you free at 3 pm? I will send you an invite.'), 'with a time')
  assert.equal(nextStepIn('We met on Monday. It was good. It was long. Setting up a call is easy.'), 'without a time')
  assert.equal(nextStepIn('I read books. Booked! Next week.'), 'with a time')
  assert.equal(nextStepIn('Today was a good day.'), 'none')
  assert.equal(nextStepIn('Notebook and bookkeeper.'), 'none')
})

test('dates and clock times are times, other numbers and words are not', () => {
  const times = [
    'at 10:30',
    'at 3pm',
    'at 3 p.m.',
    "at ten o'clock",
    'on 2026-03-05',
    'on 3/14',
    'on 14/3/2026',
    'on 14.3.2026',
    'on the 15th',
    'in May',
    'on May 5',
    'on 5 March',
    'this week',
    'next month',
    'tonight',
  ]
  const others = [
    'as you may know',
    'to march on',
    'around 24/7',
    'in 3.5 versions',
    'for 20 people',
    'a weekend',
    '1/2/3/4',
  ]

  for (const time of times) assert.equal(nextStepIn(`I will book it ${time}`), 'with a time', time)
  for (const other of others) assert.equal(nextStepIn(`I will book it ${other}`), 'without a time', other)
})

test('next steps and times are found in every language', () => {
  assert.equal(nextStepIn('Die nächsten Schritte besprechen wir am 5. März.', 'de'), 'with a time')
  assert.equal(nextStepIn('Ich schicke Ihnen die Einladung für 10 Uhr.', 'de'), 'with a time')
  assert.equal(nextStepIn('Sollen wir einen Termin vereinbaren?', 'de'), 'without a time')
  assert.equal(nextStepIn('Pour l’étape suivante, jeudi à 14 h 30 ?', 'fr'), 'with a time')
  assert.equal(nextStepIn('Je vous envoie une invitation.', 'fr'), 'without a time')
  assert.equal(nextStepIn('Fixons un rendez-vous aujourd’hui.', 'fr'), 'with a time')
  assert.equal(nextStepIn('Los próximos pasos, ¿el miércoles a las 10?', 'es'), 'with a time')
  assert.equal(nextStepIn('Le envío la invitación.', 'es'), 'without a time')
  assert.equal(nextStepIn('Os próximos passos: podemos marcar amanhã às 10h?', 'pt'), 'with a time')
  assert.equal(nextStepIn('Lhe envio o convite.', 'pt'), 'without a time')
})

test('empathy and price words are found in every language', () => {
  const texts: [Language, string, string][] = [
    ['en', 'That makes sense, fair points.', 'Our prices are discounted by 20 percent off.'],
    ['de', 'Das kann ich nachvollziehen.', 'Über Preise und Rabatte sprechen wir später.'],
    ['fr', 'Je comprends, vous avez raison.', 'Les tarifs et les remises.'],
    ['es', 'Entiendo, tiene sentido.', 'Los precios tienen descuentos.'],
    ['pt', 'Compreendo, faz sentido.', 'Os preços têm descontos.'],
  ]

  for (const [language, empathy, price] of texts) {
    const lists = [empathy, price].map((text) => {
      const analyzed = analyzeText(text, language)
      return [hasListedPhrase(analyzed, 'empathy'), hasListedPhrase(analyzed, 'priceWords')]
    })
    assert.deepEqual(
      lists,
      [
        [true, false],
        [false, true],
      ],
      language,
    )
  }
})

test('phrases match without case, accents and inflection, but only whole words in one sentence', () => {
  const matches = (text: string, phrase: string, language: Language = 'en') =>
    findSentenceWith(analyzeText(text, language), [phrase]) !== undefined

  assert.ok(matches('We INTEGRATED the naïve résumés', 'integrate'))
  assert.ok(matches('Two companies', 'company'))
  assert.ok(matches('They were planning', 'plan'))
  assert.ok(matches('a resume', 'résumé'))
  assert.ok(matches('die Straßen', 'strasse', 'de'))
  assert.ok(!matches('the carpet', 'car'))
  assert.ok(!matches('We have data. Security is next.', 'data security'))
  assert.ok(!matches('anything', '!!!'))
})

test('a question that shares most of its words with another one is a repetition', () => {
  const isRepeated = (one: string, other: string) => isRepetition(analyzeText(one, 'en'), analyzeText(other, 'en'))

  assert.ok(isRepeated('How do you handle this today?', 'So how do you handle this today'))
  assert.ok(isRepeated('How do you do it now?', 'HOW do you do it now'))
  assert.ok(!isRepeated('How do you handle this today?', 'How do you pay for this today?'))
  assert.ok(!isRepeated('', ''))
})

test('any text can be analyzed, in time that grows with its length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('en', 'de', 'fr', 'es', 'pt', 'xx'),
      (text, language) => {
        const analyzed = analyzeText(text, language)
        findFillers(analyzed)
        findNextStep(analyzed)
        return analyzed.words >= 0
      },
    ),
    { numRuns: 200 },
  )
  const hostile = [
    '?'.repeat(100_000),
    '. '.repeat(50_000),
    '1/'.repeat(50_000),
    `${'1 '.repeat(50_000)}h`,
    'what '.repeat(20_000),
  ]
  for (const text of hostile) {
    const began = performance.now()
    const analyzed = analyzeText(text, 'fr')
    findFillers(analyzed)
    findNextStep(analyzed)
    assert.ok(performance.now() - began < 5_000, text.slice(0, 10))
  }
})
