import type { Purpose, Tone } from './assist.schemas.ts'

/** What a template may speak of. Nothing else is known, so nothing else is said. */
export type Facts = {
  /** The company, or `your team`. */
  company: string
  /** What they last did with us, such as `our call`; null if there is nothing to be polite about. */
  about: string | null
}

/** `more` stands only in the longer form, between the other two. */
type Template = { subject: string; opening: string; more: string; ask: string }

const thanks = ({ about }: Facts): string => (about ? `Thank you for ${about}. ` : '')
const since = ({ about }: Facts): string => (about ? `It has been a while since ${about}` : 'It has been a while')

/** One template for every purpose and tone: the same facts always give the same text. */
export const templates: Record<Purpose, Record<Tone, (facts: Facts) => Template>> = {
  intro: {
    friendly: (facts) => ({
      subject: `Hello from us to ${facts.company}`,
      opening: `${thanks(facts)}I look after ${facts.company} on our side and wanted to say hello.`,
      more: 'I would like to understand what you are working on before I suggest anything.',
      ask: 'What would you most like to get done in the next few months?',
    }),
    formal: (facts) => ({
      subject: `Introduction: your contact for ${facts.company}`,
      opening: `${thanks(facts)}I would like to introduce myself as the person responsible for ${facts.company}.`,
      more: 'I would be glad to learn about your current priorities before making any proposal.',
      ask: 'May I ask which topics are of most interest to you at present?',
    }),
    direct: (facts) => ({
      subject: `Your contact for ${facts.company}`,
      opening: `${thanks(facts)}I am the person to talk to about ${facts.company}.`,
      more: 'Tell me what you need, and I will tell you whether we can help.',
      ask: 'What are you trying to solve?',
    }),
  },
  follow_up: {
    friendly: (facts) => ({
      subject: `Where shall we go from here, ${facts.company}?`,
      opening: `${thanks(facts)}I wanted to pick up where we left off.`,
      more: 'If something has changed on your side, I am happy to start from there instead.',
      ask: 'What would be the most useful next step for you?',
    }),
    formal: (facts) => ({
      subject: `Following up with ${facts.company}`,
      opening: `${thanks(facts)}I am writing to follow up on our correspondence.`,
      more: 'Should your requirements have changed in the meantime, I would be glad to take that into account.',
      ask: 'Would you kindly let me know how you wish to proceed?',
    }),
    direct: (facts) => ({
      subject: `Next step for ${facts.company}`,
      opening: `${thanks(facts)}I am following up on where we stand.`,
      more: 'If your plans have changed, a single line is enough.',
      ask: 'What is the next step?',
    }),
  },
  meeting_request: {
    friendly: (facts) => ({
      subject: `Twenty minutes for ${facts.company}?`,
      opening: `${thanks(facts)}I think a short conversation would help us both.`,
      more: 'I will come with questions rather than slides, and you decide whether it is worth a second one.',
      ask: 'Would you have twenty minutes this week or next?',
    }),
    formal: (facts) => ({
      subject: `Request for a meeting with ${facts.company}`,
      opening: `${thanks(facts)}I would appreciate the opportunity to speak with you.`,
      more: 'Twenty minutes should suffice to find out whether a closer look is worthwhile.',
      ask: 'Would you let me know which day this week or next would suit you?',
    }),
    direct: (facts) => ({
      subject: `Meeting with ${facts.company}`,
      opening: `${thanks(facts)}Let us talk for twenty minutes.`,
      more: 'By the end we will both know whether to go on.',
      ask: 'Which day this week or next works for you?',
    }),
  },
  re_engage: {
    friendly: (facts) => ({
      subject: `Still on your mind, ${facts.company}?`,
      opening: `${since(facts)}, so I wanted to ask how things are going at ${facts.company}.`,
      more: 'Perhaps the timing was not right. That is fine, and it may be different now.',
      ask: 'Is the topic still on your list?',
    }),
    formal: (facts) => ({
      subject: `Resuming our conversation with ${facts.company}`,
      opening: `${since(facts)}, and I would like to ask whether your interest remains.`,
      more: 'I understand that priorities change, and I would be glad to adapt to yours.',
      ask: 'Would it be convenient to resume our conversation?',
    }),
    direct: (facts) => ({
      subject: `Still relevant for ${facts.company}?`,
      opening: `${since(facts)}.`,
      more: 'If it is no longer a topic, tell me and I will note it.',
      ask: 'Is this still relevant for you?',
    }),
  },
  break_up: {
    friendly: (facts) => ({
      subject: `Shall I leave ${facts.company} in peace?`,
      opening: 'I have tried to reach you a few times, and I do not want to fill your inbox.',
      more: 'If the time is simply not right, that is perfectly fine.',
      ask: 'I will not write again unless you tell me that you would like to go on.',
    }),
    formal: (facts) => ({
      subject: `Closing our conversation with ${facts.company}`,
      opening: 'I have written to you several times and assume that the matter is not a priority at present.',
      more: 'Should this change, I would be pleased to hear from you at any time.',
      ask: 'Unless I hear from you, I will consider our conversation closed.',
    }),
    direct: (facts) => ({
      subject: `Closing the file on ${facts.company}`,
      opening: 'I have not heard back, so I take it that this is not a topic now.',
      more: 'If I am wrong, one line is enough and we go on.',
      ask: 'Otherwise this is my last message.',
    }),
  },
}
