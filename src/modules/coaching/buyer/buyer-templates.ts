import type { PersonaStyle } from '../personas/personas.schemas.ts'
import type { BuyerStep } from './buyer-state.ts'

/** Openings of a reply. Together with the sentences of a step they give 25 replies per step and style. */
export const openings: Record<PersonaStyle, readonly string[]> = {
  analytical: ['Let me think.', 'Looking at the details:', 'To be precise:', 'I noted that.', 'Step by step.'],
  driver: ['Fine.', 'Quickly:', 'Right.', 'In short:', 'Okay.'],
  amiable: ['Thanks for asking.', 'I see what you mean.', 'That is kind of you.', 'Good to talk about it.', 'Sure.'],
  expressive: ['Oh, interesting!', 'You know what?', 'Well!', 'Ha, good one.', 'Now we are talking.'],
}

export const sentences: Record<BuyerStep, readonly string[]> = {
  open: [
    'Hello, this is {name}. What can I do for you?',
    '{name} speaking. You wanted to talk to me?',
    'Hi, {name} here. I have a few minutes.',
    'Good morning, I am {name}. What is it about?',
    'Hello. You have my attention for a moment.',
  ],
  acknowledge: [
    'That answers my concern about {topic}.',
    'On {topic} I can follow you now.',
    'Okay, {topic} is less of a problem than I thought.',
    'Then {topic} would not stop us.',
    'I can accept that about {topic}.',
  ],
  push_back: [
    'I am still not convinced about {topic}.',
    'That does not solve {topic} for me.',
    'You did not answer my question about {topic}.',
    'I still see a problem with {topic}.',
    'We have to come back to {topic}.',
  ],
  reveal: [
    '{text}',
    'The situation is this: {text}',
    'I can tell you that: {text}',
    'Between us: {text}',
    'Here it is: {text}',
  ],
  agree: [
    'Yes, let us do that.',
    'Agreed, send me the invitation.',
    'That works for me.',
    'Good, I will be there.',
    'Let us plan it that way.',
  ],
  raise: [
    '{text}',
    'One thing bothers me: {text}',
    'But: {text}',
    'I have to say this: {text}',
    'There is a problem: {text}',
  ],
  not_yet: [
    'Not yet. First I want to know more.',
    'That is too early for me.',
    'Before that, you have to understand our situation.',
    'Let us not rush. Ask me about our work first.',
    'I am not ready for that step.',
  ],
  answer: [
    '{text}',
    'What matters to us: {text}',
    'I would put it like this: {text}',
    'At the moment: {text}',
    'For us it is this: {text}',
  ],
  prompt: [
    'Go on.',
    'What do you want to know?',
    'And what does that mean for us?',
    'Tell me more.',
    'I am listening.',
  ],
  stop: [
    'I have to stop here.',
    'I have to stop here. This does not help me.',
    'I have to stop here. Please do not call again soon.',
    'I have to stop here. My next meeting begins.',
    'I have to stop here. Thank you for your time.',
  ],
}

export const detailRequests: readonly string[] = [
  'How does it work technically?',
  'Which interfaces does it have?',
  'What does the architecture look like?',
  'Can you give me the exact numbers?',
  'How is that measured?',
]
