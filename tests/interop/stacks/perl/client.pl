#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# perl client.pl URL-OF-BASE: SOAP::Lite with a WSDL, against a document/literal service.
use strict;
use warnings;
use utf8;
use HTTP::Cookies;
use SOAP::Lite;

$| = 1;
binmode STDOUT, ':utf8';
my $base = shift;
my $ns   = 'urn:example:store';

sub step {
    my ($name, $run) = @_;
    my $good = eval { $run->() };
    print $good ? "ok $name\n" : "bad $name" . ($@ ? ': ' . substr($@, 0, 300) : '') . "\n";
}

sub store {
    my $url = shift;
    return SOAP::Lite->proxy($url, cookie_jar => HTTP::Cookies->new, keep_alive => 1)
        ->ns($ns, 't')->on_action(sub { "\"$ns/$_[1]\"" })->on_fault(sub { $_[1] });
}

# ask CLIENT OPERATION NAME => VALUE...: literal, in the namespace of the schema.
sub ask {
    my ($client, $operation, $type, @parts) = @_;
    my @data;
    while (my ($name, $value) = splice @parts, 0, 2) {
        push @data, SOAP::Data->name("t:$name")->value($value)->type($type);
    }
    # Without a part SOAP::Lite says xsi:nil, which no schema allows here.
    @data = SOAP::Data->type(xml => '') unless @data;
    return $client->call("t:$operation" => @data);
}

my $wsdl;
step('wsdl', sub { $wsdl = SOAP::Lite->service("$base/store?wsdl"); $wsdl->can('echo') ? 1 : 0 });
my $client = store("$base/store");
step('call', sub { my $text = 'Grüße & <Tags>'; my $got = ask($client, 'echo', 'string', text => $text); $got->valueof('//echoResponse/text') eq $text });
step('fault', sub { my $got = ask($client, 'fail', 'string', reason => 'sold out'); $got->fault && $got->faultstring eq 'sold out' });
step('cookies', sub {
    for my $n (0, 1, 2) { return 0 if ask($client, 'who', '')->valueof('//whoResponse/visits') != $n }
    1;
});
sub SOAP::Transport::HTTP::Client::get_basic_credentials { return ('jane' => 'correct horse') }
step('basic', sub { ask(store("$base/basic/store"), 'who', '')->valueof('//whoResponse/user') eq 'jane' });
step('digest', sub { ask(store("$base/digest/store"), 'who', '')->valueof('//whoResponse/user') eq 'jane' });
step('binary', sub { ask($client, 'get', 'int', size => 2000)->valueof('//getResponse/data') && 1 });
