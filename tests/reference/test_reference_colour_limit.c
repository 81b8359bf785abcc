/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Worked examples for "A number of colours" of docs/internals/temporal.md. */
#include "test_reference.h"
#include "grey_film.h"
#include "reference_steps.h"
#include "tests.h"

#define HARDLY "stability=0.0000000001; "

/* So short that no mode moves. */
#define NO_TIME "ns=1; "

/* max(0.005, 0.04 / √N) */
TEST_IN ("colour-limit/", radius)
{
  g_assert_cmpfloat (reference_limit_radius (1), ==, 0.04);
  g_assert_cmpfloat (reference_limit_radius (4), ==, 0.02);
  g_assert_cmpfloat (reference_limit_radius (64), ==, 0.005);
  g_assert_cmpfloat (reference_limit_radius (256), ==, 0.005);
}

/* 10 weighs most. Then G is 99.5 million for 100, 192 times 720², and less for all
 * others; then 22.9 million for 60, 224 times 320²; then 409600 for 20. By weight
 * alone 104 were better, by distance alone 106. Stability changes nothing. The mode of 100
 * begins at the mean of 100 and 104, 101.8; 106 is too far from it. */
#define GREATEST_GAIN "10*320 60*224 100*192>102 104*160>102 20*64 106*64>102;" \
  "? bins=6 summits=6 held=4"

static const GreyFilm of_slots[] = {
  {"/colour-limit/greatest-gain", "colours=4; " GREATEST_GAIN
        "; new; colours=4; stability=0; " GREATEST_GAIN},

  /* 101 comes to 100: 75 · 240² is more than the 60 · 240² of 40, as far from 70. So 40 is
   * left to 10 and 70, as far from it, of which 70 is in the first slot. */
  {"/colour-limit/weight-of-summit",
      "colours=4; 10*300 40*60>70 70*400 100*45 101*30>100 140*300"},

  /* 101 comes to 100, and three summits are fewer than four: each bin is one. Of five G is
   * 80 · 720² for 100, then 100 · 320² for 60, then 60 · 8² for 101, more than the 20 · 8²
   * of 99. Four summits are enough. */
  {"/colour-limit/few-summits",
      "colours=4; 10*100 60*100 100*80 101*60; ? summits=4 held=4; new;"
        "colours=4; 10*100 60*100 99*20>100 100*80 101*60; ? summits=5 held=4;"
        "new; colours=4; 10*100 60*100 140*10 100*80 101*60>100;"
        "? summits=4 held=4"},

  /* A summit that has just become a mode gains nothing more, though the bin of its colour,
   * 100, is elsewhere: the fourth slot is left to 60. */
  {"/colour-limit/home-elsewhere", "colours=4; astray=1;"
        "10*300 98*250>100 102*250>100 140*300 60*1; ? bins=4 held=4"},

  /* 1051 · 768² = 619 905 024 is 64 less than 913 · 824², and in 24 bits of 30, which are
   * multiples of 64, too. 2621 · 704² = 1 299 009 536 is 64 less than 1841 · 840², but in
   * 24 bits of 31 as much: the first in order becomes a mode. There is one before, so that
   * modes do not settle. */
  {"/colour-limit/leading-bits-of-gain",
      "colours=2; height=512; 0*3016; 0*1052 96*1051>103 103*913; new;"
        "colours=2; height=512; 0*7084; 0*2622 88*2621 105*1841>88"},

  /* Modes stay where they are, and what is far from them takes a slot that is free, but
   * not while the palette is held. */
  {"/colour-limit/free-slots",
      "colours=4; 10*300 140*200 140*100; ? held=2; hold=1;"
        "10*300 140*200 60*100>10; ? held=2; hold=0;"
        "10*300 140*200 60*100; ? held=3"},

  /* Bins are merged: the middle of that of 104 and 105 is at 836, 36 eighths from 100
   * and from 109, of which the heavier has the first slot. No pixel holds one any
   * more, for the format is another one. */
  {"/colour-limit/middle-of-merged",
      "colours=4; 10*100 100*100 109*20 140*100; capacity=3; format+=1;"
        "=10*100 104*60>100 105*60>100 140*100; ? merges=1; new;"
        "colours=4; 10*100 109*100 100*20 140*100; capacity=3; format+=1;"
        "=10*100 104*60>109 105*60>109 140*100; ? merges=1"},

  /* Where there is no mode slots are taken though the palette is held, and modes begin at
   * the mean of what belongs to them: (40 · 99 + 80 · 100 + 60 · 101 + 36 · 102 + 32 · 103) /
   * 248 = 100.76. With 128 at 101 it is 100.35, to which they go when it is not held. */
  {"/colour-limit/held-from-the-first", "colours=4; " HARDLY "hold=1;"
        "10*300 60*300 140*300 99*40>101 100*80>101 101*60 102*36>101 103*32>101;"
        "3: 10*300 60*300 140*300 99*40>101 100*80>101 101*128; ? held=4; hold=0;"
        "10*300 60*300 140*300 99*40>101 100*80>101 101*128;"
        "10*300 60*300 140*300 99*40>100 100*80 101*128>100"},

  /* A frame after one with another number, or with none, is a first one. Else modes would
   * stay with the colours before. */
  {"/colour-limit/other-numbers", "colours=4; radius=0.02;"
        "10*400 60*400 100*300 140*400; colors=0; 12*400 62*400 101*300 142*400;"
        "colors=4; 13*400 63*400 102*300 143*400;"
        "colors=3; 11*400 61*400 100*300>61 141*400"},

  /* With a palette the number means nothing: M is 60, more than the 56 to 107, and the
   * radius is the property. */
  {"/colour-limit/beside-a-palette", "colours=4; radius=0.02; palette=100,107;"
        "10: 100*299 100*1 107*300; colors=16; 5: 100*299 107*1>100 107*300;"
        "? bins=2; radius=1; 100*300 107*300>100; ? bins=1"},
};

/* D is 640, 800 and 600 for 100 to 102, and less for what follows: all ways lead to 101. With
 * max-shift 1, 105 strays, at 32 eighths, and 104 does not, at 24. G is greatest for 109, 4 · 64²,
 * then 10 · 32² for 105. The others are within the radius of a mode then, and become none. 107 is
 * as near to 105 as to 109, which has the first slot; so is 105 to 101. */
#define RIDGE "100*100>101 101*80 102*60>101 103*40>101 104*20>101 "

static const GreyFilm of_indexes[] = {
  {"/colour-limit/strays", "colors=4; keeps-radius=1; max-shift=1;"
        RIDGE "105*10 106*5>105 107*4>109 108*4>109 109*4; ? held=3; new;"
        "colors=4; keeps-radius=1;"
        RIDGE
        "105*10>101 106*5>101 107*4>101 108*4>101 109*4>101; ? held=1; new;"
        "colors=2; keeps-radius=1; max-shift=1;" RIDGE
        "105*10>101 106*5>109 107*4>109 108*4>109 109*4; ? held=2"},

  /* A mode goes to the mean of the bins around it, 99 to 101, and not of 103, which belongs to
   * it, too. */
  {"/colour-limit/around-modes", "colors=2; keeps-radius=1; " HARDLY
        "100*300 140*200; 3: 100*300 103*300>100 140*200;"
        "100*100>101 101*300 103*300>101 140*200"},
};

/* M = ⌊0.8·σ·65536 / P + 1/2⌋ at σ = 1/2: 26214 / 618 = 42.4, / 437 = 60.0 and / 218 =
 * 120.2. 0.529 and 0.53 make 63.46 and 63.58, which is 64, as far as 8 codes. A pixel
 * leaves for what is more than that many eighths away, in the fifth frame. */
TEST_IN ("colour-limit/", hesitation)
{
  static const struct
  {
    guint n_colours;
    gdouble stability;
    guint other, shown;
  } cases[] = {
    {2, 0.5, 65, 60}, {2, 0.5, 66, 66}, {4, 0.529, 68, 68}, {4, 0.53, 68, 60},
    {16, 0.5, 75, 60}, {16, 0.5, 76, 76}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = cases[i].other;

    grey_film_run ("colours=%u; stability=%g; 10: 60*255 60*1 %u*300;"
        "4: 60*255 %u*1>60 %u*300; 5: 60*255 %u*1>%u %u*300",
        cases[i].n_colours, cases[i].stability, other, other, other, other,
        cases[i].shown, other);
  }
}

/* --- modes settle --- */

/* Cells are four codes wide. l is 64 at the 64 eighths from 0 to 8, and 1000 at the 160 from
 * 80 to 60. The mode of 8 begins with more gain, 400 · 64² to 26 · 160², but is worth 400 ·
 * 64 = 25600. What is left to one mode, 0 and 8, has it at their mean, 18 eighths, and both are
 * within reach. */
#define LEFT_TO_ONE "0*1000>2 8*400>2 "

/* Modes begin at 0, 20, 40 and 100. */
#define FAR "0*90 20*90 40*90 "

static const GreyFilm of_settling[] = {
  {"/colour-settling/replaced",
      "colours=4; " LEFT_TO_ONE "60*26 80*300 140*1000; ? held=4; new;"
        "colours=4; 0*1000 8*400 60*25>80 80*300 140*1000; ? held=4"},

  /* 208 is worth as much as 8, which is in the first slot of both. */
  {"/colour-settling/first-of-modes",
      "colours=16; height=512; " LEFT_TO_ONE
        "20*400 30*400 40*400 50*400 60*400 80*26 100*300 140*400 150*400 160*400 "
        "170*400 180*400 190*400 200*1000 208*400"},

  /* 60 and 100 gain as much. 60 and 120 save as much, and 140 has the first slot. Then the new
   * mode is worth no less than what the other one saves. */
  {"/colour-settling/first-of-candidates", "colours=4; "
        LEFT_TO_ONE "60*26 80*300 100*26>80 140*1000; new; colours=4; "
        LEFT_TO_ONE "60*26>80 80*300 120*26 140*1000"},

  /* The mode comes to the mean, 14 eighths from 100 and 42 from 107, or 16 from 100 and 48 from
   * 108, more than the reach of 47. */
  {"/colour-settling/mean",
      "colours=4; " FAR "100*3>102 107*1>102; new;"
        "colours=4; " FAR "100*3 108*1>100"},

  /* The only mode goes to the mean of 40 and 60, from where nothing is near: it keeps
   * the colour that it began with. */
  {"/colour-settling/nothing-near", "colours=1; 40*100 60*90>40"},
};

/* --- modes move --- */

/* Of one more bin than modes the second one becomes none, and counts for the mode of the first
 * where it is within reach. Others are far, and weigh 90 each. B = ⌊0.32·2^s / P⌋ =
 * ⌊10485.8 / 437⌋ = 23 eighths with s = 15, ⌊20971.5 / 437⌋ = 47 and ⌊20971.5 / 218⌋ = 96 with
 * 16, and codes are 8. The mean of what weighs 3 and 1 is a quarter of the way. */
#define FAR_OF_16 "0*90 5*90 10*90 15*90 20*90 25*90 30*90 35*90 40*90 45*90 " \
  "50*90 55*90 60*90 65*90 70*90 "

/* ρ(⌊2·10⁹·σ⌋), with 10⁹ ns at σ = 1/2, is ⌊4096 · 992 / 1992⌋ = 2039 in 992 ms, and
 * 2040 in 993, also where 200 of them are those of a held frame: of the 256 to the
 * mean, 101, that is 127.4 and 127.5, a half. The format is another one, so that e is
 * 0. */
#define OTHERS "10*300 60*300 140*300 "
#define DARKER "colours=4; " OTHERS "100*400; format+=1; "
#define LIGHTER OTHERS "102*200>100 100*200; "
#define LIGHTER_MOVED OTHERS "102*200>101 100*200>101; "

#define CHART "10*700 60*100 100*100 130*100; "

static const GreyFilm of_changes[] = {
  {"/colour-changes/reach",
      "colours=1; " HARDLY
        "40*4; 40*3 42*1>40; 40*3>41 42*1>41; ? held=1; new;" "colours=1; "
        HARDLY "40*4; 2: 40*3 43*1>40; ? held=1; new;" "colours=4; " HARDLY
        FAR "100*4; " FAR "100*3 105*1>100; " FAR
        "100*3>101 105*1>101; ? held=4; new;" "colours=4; " HARDLY FAR
        "100*4; 2: " FAR "100*3 106*1>100; ? held=4; new;" "colours=16; "
        HARDLY FAR_OF_16 "100*4; " FAR_OF_16 "100*3 112*1>100; " FAR_OF_16
        "100*3>103 112*1>103; ? held=16; new;" "colours=16; " HARDLY FAR_OF_16
        "100*4; 2: " FAR_OF_16 "100*3 113*1>100; ? held=16"},

  {"/colour-changes/time",
      DARKER "ms=992; " LIGHTER NO_TIME LIGHTER "new;"
        DARKER "ms=993; " LIGHTER NO_TIME LIGHTER_MOVED "new;"
        DARKER "hold=1; ms=200; " LIGHTER "hold=0; ms=792; " LIGHTER
        NO_TIME LIGHTER "new;"
        DARKER "hold=1; ms=200; " LIGHTER "hold=0; ms=793; " LIGHTER
        NO_TIME LIGHTER_MOVED},

  /* Of the modes of a slide two are too many once there is a chart. One is replaced when it
   * comes; the other one goes, and what is free is taken, while the film stands still. */
  {"/colour-changes/replaced-at-rest",
      "colours=4; 10: 10*850 60*50 62*50 64*50; ~" CHART "? held=3; ~"
        CHART "? held=3; =" CHART},

  /* 103 is 24 eighths from 100, within the reach of 47, but another mode's: it counts for
   * that one only, and nothing moves. */
  {"/colour-changes/own-bins",
      "colours=4; " HARDLY "3: 10*300 100*300 103*300 140*300"},

  /* ρ in a 30th of a second is ⌊4096 · 33.3 / 1033.3⌋ = 132. e is 128 in twelve of sixteen
   * blocks: U is 12 · 128 / 32 = 48, and the part 132 + ⌊3964 · 48 / 64⌋ = 3105. Of the 4 ·
   * 256 to 104 that is 776: 103 and 8 / 256. */
  {"/colour-changes/unrest-of-many",
      "colours=4; 100*3072 10*341 60*341 140*342;"
        "104*3072>100 10*341 60*341 140*342; 104*3072>103 10*341 60*341 140*342"},

  /* One is replaced. l is 8 at 32 eighths, 15 at 40, and 64 at 64. 14 is worth 17 · 8, and for
   * 15, which is a bin of its mode, 8 · 15 more: 3 · 256 is as much as 12 at 108 save, 12 · 64.
   * That is not enough. For 13 it is replaced: in the next frame its pixels have the nearest,
   * not what is in its slot, and those of 108, as far as that, do not wait for it. */
  {"/colour-changes/one-is-replaced",
      "colours=4; 10: 10*400 100*400 140*5 14*17 15*8>14; " NO_TIME
        "4: 10*400 100*400 140*5 14*17 15*8>14 108*12>100; ? held=4; new;"
        "colours=4; 10: 10*400 100*400 140*5 14*17 15*8>14; " NO_TIME
        "10*400 100*400 140*5 14*17 15*8>14 108*13>100;"
        "3: 10*400 100*400 140*5 14*17>10 15*8>10 108*13; ? held=4"},

  /* A pixel that does not wait still stays within M = 60: 107 is 56 eighths from 100, where l
   * is 42, and saves 20 · 42. */
  {"/colour-changes/new-but-near", "colours=4; 10: 10*400 100*400 140*5 14*17;"
        "10*400 100*400 140*5 14*17 107*20>100;"
        "6: 10*400 100*400 140*5 14*17>10 107*20>100"},

  /* At 14 the mode of 16 is worth 13 · (27 - 1), 338, and 3 times that is less than the 16 · 64
   * that 108 saves. It is to move to 16, where it were worth 13 · 27, behind this frame. */
  {"/colour-changes/worth-before-moving", "colours=4; " HARDLY
        "10*400 100*400 140*5 14*13; " NO_TIME
        "10*400 100*400 140*5 16*13>14 108*16>100;"
        "10*400 100*400 140*5 16*13>10 108*16"},

  /* What is at home gains nothing, two eighths from the middle of its bin: 11 stays, though
   * 3 times its worth, 1 · 8², is less than 1000 · 2². In the second frame no slot
   * could be taken again. */
  {"/colour-changes/no-gain-from-home", "colours=4; steps-more=120;"
        "10*300 11*1 100*1000 140*300; hold=1; 10*300 11*1 100*1000 140*300"},

  /* The only one stays, however far others are. */
  {"/colour-changes/only-one",
      "colours=1; 40*100 60*10>40; hold=1; 40*10 60*100>40"},

  /* 36 and 140 are worth as much, 11 · 8, and 36 is in the first slot of both. 48 and 128
   * save as much, and 128 belongs to the mode in the first slot of both. */
  {"/colour-changes/first-of-several",
      "colours=4; 40*400 136*500 36*11 140*11; " NO_TIME
        "40*400 136*500 36*11 140*11 48*9>40 128*9>136;"
        "40*400 136*500 36*11>40 140*11 48*9>40 128*9"},
};

void
test_reference_add_colour_limit (void)
{
  grey_film_add (of_slots, G_N_ELEMENTS (of_slots));
  grey_film_add (of_indexes, G_N_ELEMENTS (of_indexes));
  grey_film_add (of_settling, G_N_ELEMENTS (of_settling));
  grey_film_add (of_changes, G_N_ELEMENTS (of_changes));
}
