export const invitationEmailKind = 'survey_invitation'
export const reminderEmailKind = 'survey_reminder'
