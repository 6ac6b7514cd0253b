-- Why a roleplay does not count as evidence of a skill; null if it does.
alter table enablement.coaching_sessions
  add column practice_reason text collate "C"
    constraint coaching_sessions_practice_reason_known check (practice_reason in ('other_persona', 'hints'));
