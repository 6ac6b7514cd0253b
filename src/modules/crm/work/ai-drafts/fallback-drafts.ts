import type { Purpose, Tone } from './assist.schemas.ts'

/** The only data that a template may mention. */
export type TemplateFacts = {
  company: string
  /** Latest activity to thank for, such as `our call`. */
  occasion: string | null
}

/** `middle` is used in medium length only. */
type Template = { subject: string; opening: string; middle: string; ending: string }

const thanks = ({ occasion }: TemplateFacts): string => (occasion ? `Thank you for ${occasion}. ` : '')
const since = ({ occasion }: TemplateFacts): string =>
  occasion ? `It has been a while since ${occasion}` : 'It has been a while'

export const emailTemplates: Record<Purpose, Record<Tone, (facts: TemplateFacts) => Template>> = {
  intro: {
    friendly: (facts) => ({
      subject: `Hello from us to ${facts.company}`,
      opening: `${thanks(facts)}I look after ${facts.company} on our side and wanted to say hello.`,
      middle: 'I would like to understand what you are working on before I suggest anything.',
      ending: 'What would you most like to get done in the next few months?',
    }),
    formal: (facts) => ({
      subject: `Introduction: your contact for ${facts.company}`,
      opening: `${thanks(facts)}I would like to introduce myself as the person responsible for ${facts.company}.`,
      middle: 'I would be glad to learn about your current priorities before making any proposal.',
      ending: 'May I ask which topics are currently of most interest to you?',
    }),
    direct: (facts) => ({
      subject: `Your contact for ${facts.company}`,
      opening: `${thanks(facts)}I am the person to talk to about ${facts.company}.`,
      middle: 'Tell me what you need, and I will tell you whether we can help.',
      ending: 'What are you trying to solve?',
    }),
  },
  follow_up: {
    friendly: (facts) => ({
      subject: `Where shall we go from here, ${facts.company}?`,
      opening: `${thanks(facts)}I wanted to pick up where we left off.`,
      middle: 'If something has changed on your side, I am happy to start from there instead.',
      ending: 'What would be the most useful next step for you?',
    }),
    formal: (facts) => ({
      subject: `Following up with ${facts.company}`,
      opening: `${thanks(facts)}I am writing to follow up on our correspondence.`,
      middle: 'Should your requirements have changed in the meantime, I would be glad to take that into account.',
      ending: 'Would you kindly let me know how you wish to proceed?',
    }),
    direct: (facts) => ({
      subject: `Next step for ${facts.company}`,
      opening: `${thanks(facts)}I am following up on where we stand.`,
      middle: 'If your plans have changed, a single line is enough.',
      ending: 'What is the next step?',
    }),
  },
  meeting_request: {
    friendly: (facts) => ({
      subject: `Twenty minutes for ${facts.company}?`,
      opening: `${thanks(facts)}I think a short conversation would help us both.`,
      middle: 'I will come with questions rather than slides, and you decide whether it is worth a second one.',
      ending: 'Would you have twenty minutes this week or next?',
    }),
    formal: (facts) => ({
      subject: `Request for a meeting with ${facts.company}`,
      opening: `${thanks(facts)}I would appreciate the opportunity to speak with you.`,
      middle: 'Twenty minutes should suffice to find out whether a closer look is worthwhile.',
      ending: 'Would you let me know which day this week or next would suit you?',
    }),
    direct: (facts) => ({
      subject: `Meeting with ${facts.company}`,
      opening: `${thanks(facts)}Let us talk for twenty minutes.`,
      middle: 'By the end we will both know whether to go on.',
      ending: 'Which day this week or next works for you?',
    }),
  },
  re_engage: {
    friendly: (facts) => ({
      subject: `Still on your mind, ${facts.company}?`,
      opening: `${since(facts)}, so I wanted to ask how things are going at ${facts.company}.`,
      middle: 'Perhaps the timing was not right. That is fine, and it may be different now.',
      ending: 'Is the topic still on your list?',
    }),
    formal: (facts) => ({
      subject: `Resuming our conversation with ${facts.company}`,
      opening: `${since(facts)}, and I would like to ask whether your interest remains.`,
      middle: 'I understand that priorities change, and I would be glad to adapt to yours.',
      ending: 'Would it be convenient to resume our conversation?',
    }),
    direct: (facts) => ({
      subject: `Still relevant for ${facts.company}?`,
      opening: `${since(facts)}.`,
      middle: 'If it is no longer a topic, tell me and I will note it.',
      ending: 'Is this still relevant for you?',
    }),
  },
  break_up: {
    friendly: (facts) => ({
      subject: `Shall I leave ${facts.company} in peace?`,
      opening: 'I have tried to reach you a few times, and I do not want to fill your inbox.',
      middle: 'If the time is simply not right, that is perfectly fine.',
      ending: 'I will not write again unless you tell me that you would like to go on.',
    }),
    formal: (facts) => ({
      subject: `Closing our conversation with ${facts.company}`,
      opening: 'I have written to you several times and assume that the matter is currently not a priority.',
      middle: 'Should this change, I would be pleased to hear from you at any time.',
      ending: 'Unless I hear from you, I will consider our conversation closed.',
    }),
    direct: (facts) => ({
      subject: `Closing the file on ${facts.company}`,
      opening: 'I have not heard back, so I take it that this is not a topic now.',
      middle: 'If I am wrong, one line is enough and we go on.',
      ending: 'Otherwise this is my last message.',
    }),
  },
}
